import { expect, test } from 'vitest';

import { run, start } from './start.js';

/* K01: nothing that happens while the program is imported reaches the protocol. */

const NOISE: readonly (readonly [what: string, module: string])[] = [
  [
    'console',
    'for (const name of ["log", "info", "debug", "warn", "error", "table", "dir"]) console[name]("noise");',
  ],
  ['process.stdout', 'process.stdout.write("noise"); process.stdout.end("noise");'],
  [
    'a console of its own',
    'import { Console } from "node:console"; new Console(process.stdout).log("noise");',
  ],
  [
    'fs',
    'import fs from "node:fs"; fs.writeSync(1, "noise"); fs.write(1, "noise", () => {}); fs.writeFileSync(1, "noise"); fs.createWriteStream("", { fd: 1 }).write("noise");',
  ],
  ['/dev/stdout', 'import fs from "node:fs"; try { fs.appendFileSync("/dev/stdout", "noise") } catch {}'],
  [
    'children that inherit',
    'import { execSync, spawnSync } from "node:child_process"; execSync("echo noise", { stdio: "inherit" }); spawnSync("sh", ["-c", "echo noise >&1; printf noise >/dev/stdout; echo noise >&3"], { stdio: "inherit" });',
  ],
  [
    'a child that goes on',
    'import { spawn } from "node:child_process"; spawn("sh", ["-c", "sleep 0.3; echo noise; cat"], { stdio: "inherit", detached: true }).unref();',
  ],
  [
    'a worker',
    'import { Worker } from "node:worker_threads"; import { once } from "node:events"; await once(new Worker("console.log(\\"noise\\"); require(\\"fs\\").writeSync(1, \\"noise\\")", { eval: true }), "exit");',
  ],
  ['a timer', 'setInterval(() => { console.log("noise"); process.stdout.write("noise"); }, 5);'],
  [
    'text like the protocol’s',
    'console.log(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { protocolVersion: "noise" } }));',
  ],
  [
    'a replaced console',
    'globalThis.console = { ...console, log: (text) => process.stdout.write(text) }; console.log("noise");',
  ],
  [
    'a replaced stdout.write',
    'const { write } = process.stdout; process.stdout.write = (...args) => write.apply(process.stdout, args); console.log("noise");',
  ],
];

test.concurrent.each(NOISE)('%s', async (_what, module) => {
  const server = start({ module: `${module}\nexport { program };` });
  const { result } = await server.initialize();
  expect(result?.['protocolVersion']).toBe('2025-11-25');
  expect((await run(server, 'console.log("own")')).text).toContain('own\n');
  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
  // Two answers and no other byte.
  expect(server.stdoutLines).toHaveLength(2);
  expect(server.stdoutLines.join()).not.toContain('noise');
});
