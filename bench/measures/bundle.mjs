import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { rolldown } from 'rolldown';

import { inTurn, OURS, RAW, repeat } from '../sides.mjs';
import { startOnce } from './start.mjs';

const ENTRY = `import { enableCompileCache } from 'node:module';
enableCompileCache(new URL('./cache', import.meta.url).pathname);
await import('./server.mjs');
`;

/** The start of a server that its author packed into one file, with Node's compile cache (Node 22 and newer). */
export async function measureBundle(report, { node, nodeMajor, rounds }) {
  if (nodeMajor < 22) return;
  const folder = mkdtempSync(join(tmpdir(), 'mcpify-bench-'));
  try {
    const entry = await bundle(folder);
    const sides = {
      raw: () => startOnce(RAW, { node }),
      ours: () => startOnce(entry, { node, preset: true }),
    };
    // The first starts fill the cache.
    for (const start of [sides.ours, sides.ours, sides.raw]) await start();
    const cpu = { raw: [], ours: [] };
    await repeat(rounds, (round) =>
      inTurn(round, sides, async (side, start) => void cpu[side].push((await start()).cpuMs)),
    );
    const goals = { must: 0.75, strive: 0.6 };
    report.add('start as one file with compile cache, preset, CPU ms', cpu.raw, cpu.ours, goals);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function bundle(folder) {
  const build = await rolldown({ input: OURS, platform: 'node' });
  await build.write({ file: join(folder, 'server.mjs'), format: 'esm', codeSplitting: false });
  await build.close();
  const entry = join(folder, 'entry.mjs');
  writeFileSync(entry, ENTRY);
  writeFileSync(join(folder, 'package.json'), '{ "name": "bench", "version": "1.0.0", "type": "module" }');
  return entry;
}
