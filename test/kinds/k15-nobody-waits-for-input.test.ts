import { beforeAll, describe, expect, test } from 'vitest';

import { run, start } from '../start/start.js';
import { connect, textOf, type RawServer } from '../wire/connect.js';
import { ENTRY } from '../start/start.js';
import { call, serve, startOf } from './kind-server.js';

/* K15: nobody answers during a call. What asks ends at once and says so; what reads finds the end; no frame is eaten. */

const ASKING = [
  'readline question', 'readline promises', 'raw keys', 'a password without echo', 'the terminal itself',
  'a shell that reads', 'a shell that reads from the terminal', 'a child that copies stdin', 'all lines of stdin',
]; // prettier-ignore

let server: RawServer;

beforeAll(async () => {
  server = await serve('terminal.mjs');
});

describe.concurrent.each(['ask', 'ask_as_child'])('%s', (tool) => {
  test.each(ASKING)('%s: the call ends by itself, with the question in the result', async (how) => {
    const { text } = await call(server, tool, { how });
    expect(text).toContain('Really?');
    // Once more: stdin is at its end anew, but for a child, whose own it is.
    if (tool === 'ask') expect((await call(server, tool, { how })).text).toBe(text);
  });
});

test.each(['readline question', 'readline promises', 'raw keys', 'a password without echo'])(
  '%s: the error says that nobody answers, and names the option that does (F099)',
  async (how) => {
    const { text, isError } = await call(server, 'ask', { how });
    expect(isError).toBe(true);
    expect(text).toContain('nobody can answer');
    expect(text).toContain('"yes"');
  },
);

test('requests that are sent while commands read stdin are all answered (F097)', async () => {
  const asked = ASKING.map((how) => call(server, 'ask', { how }));
  const pings = Array.from({ length: 50 }, () => server.request('ping'));
  for (const { result } of await Promise.all(pings)) expect(result).toEqual({});
  expect(await Promise.all(asked)).toHaveLength(ASKING.length);
});

test('a client sees no question as a request of its own', async () => {
  const client = await connect('v1', ENTRY, startOf('terminal.mjs'));
  expect(textOf(await client.callTool('ask', { how: 'readline question' }))).toContain('nobody can answer');
});

describe('every way of reading meets the end', () => {
  let reading: RawServer;

  beforeAll(async () => {
    reading = start();
    await reading.initialize();
  });

  test.each([
    [
      'an iteration',
      'let size = 0; for await (const part of process.stdin) size += part.length; return { size };',
    ],
    [
      'its lines',
      "let size = 0; for await (const line of require('node:readline').createInterface({ input: process.stdin })) size += 1; return { size };",
    ],
    [
      'the whole as text',
      "return { size: (await require('node:stream/consumers').text(process.stdin)).length };",
    ],
    [
      'a web stream',
      "let size = 0; for await (const part of require('node:stream').Readable.toWeb(process.stdin)) size += 1; return { size };",
    ],
    [
      'a pipe into a child',
      "const child = require('node:child_process').spawn('wc', ['-c']); process.stdin.pipe(child.stdin); return { size: Number(await require('node:stream/consumers').text(child.stdout)) };",
    ],
    [
      'its end event',
      "await new Promise((resolve) => process.stdin.resume().on('end', resolve)); return { size: 0 };",
    ],
    [
      'readable',
      "const part = await new Promise((resolve) => process.stdin.on('readable', () => resolve(process.stdin.read()))); return { size: part?.length ?? 0 };",
    ],
    ['descriptor 0', "return { size: require('node:fs').readSync(0, Buffer.alloc(9)) };"],
    [
      'the descriptor that the stream names',
      "return { size: require('node:fs').readSync(process.stdin.fd, Buffer.alloc(9)) };",
    ],
    ['a file of its name', "return { size: require('node:fs').readFileSync('/dev/stdin').length };"],
    [
      'a stream over descriptor 0',
      "let size = 0; for await (const part of require('node:fs').createReadStream('', { fd: 0 })) size += part.length; return { size };",
    ],
    [
      'a child that inherits it',
      "return { size: require('node:child_process').execSync('cat', { stdio: ['inherit', 'pipe', 'inherit'] }).length };",
    ],
    [
      'a child that is given the stream',
      "return { size: require('node:child_process').execFileSync('cat', { stdio: [process.stdin, 'pipe', 'inherit'] }).length };",
    ],
    [
      'a child that is given descriptor 0',
      "return { size: require('node:child_process').spawnSync('cat', { stdio: [0, 'pipe', 'pipe'] }).stdout.length };",
    ],
    [
      'a child without stdio of its own',
      "return { size: require('node:child_process').execSync('cat').length };",
    ],
    [
      'a worker',
      "const { Worker } = require('node:worker_threads'); const worker = new Worker('process.stdin.resume().on(\"end\", () => {})', { eval: true, stdin: false }); await new Promise((resolve) => worker.on('exit', resolve)); return { size: 0 };",
    ],
  ])('%s', async (_, code) => {
    expect((await run(reading, code)).value).toEqual({ size: 0 });
    expect((await run(reading, code)).value).toEqual({ size: 0 });
  });

  test('a program that reads stdin while it is imported eats no frame', async () => {
    const other = start({
      module:
        "import fs from 'node:fs'; process.stdin.resume(); process.stdin.on('data', () => {}); export const eaten = fs.readFileSync(0).length; export { program };",
    });
    await other.initialize();
    expect((await run(other, "console.log('there')")).text).toBe('there\n');
  });
});
