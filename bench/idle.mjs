// What Node itself costs, to be read while it lives: with BENCH_TREE=N, after a commander program of N commands is built;
// with BENCH_MARKED=N, after one of N marked commands; with BENCH_CLASSES=N, after the same one made of classes.
import { writeSync } from 'node:fs';

if (process.env.BENCH_TREE) {
  const { buildProgram } = await import('./program.mjs');
  buildProgram(Number(process.env.BENCH_TREE));
}
if (process.env.BENCH_MARKED) {
  process.env.BENCH_COMMANDS = process.env.BENCH_MARKED;
  await import('./marked.mjs');
}
if (process.env.BENCH_CLASSES) {
  process.env.BENCH_COMMANDS = process.env.BENCH_CLASSES;
  await import('./class-program.mjs');
}
writeSync(1, 'ready\n');
setInterval(() => {}, 1_000_000);
