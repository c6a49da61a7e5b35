import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { run, start } from '../start/start.js';
import type { RawServer } from '../wire/connect.js';

/* K01: whatever writes, and when, the client reads nothing but messages. A line that is none fails the next wait. */

let server: RawServer;

beforeAll(async () => {
  server = start();
  await server.initialize();
});

/** All of it is told by the server's own count: one line for each request, and no other byte. */
afterAll(async () => {
  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
  expect(server.messages).toHaveLength(server.stdoutLines.length);
  const answers = server.messages.filter(({ method }) => method === undefined);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(answers.length);
});

describe('what a command writes past console and stream belongs to its call', () => {
  test.each([
    [
      'Writable.prototype.write',
      "require('node:stream').Writable.prototype.write.call(process.stdout, 'text\\n')",
    ],
    ['_write', "process.stdout._write('text\\n', 'utf8', () => {})"],
    ['the stream of the console', "console._stdout.write('text\\n')"],
    [
      'a repl',
      "require('node:repl').start({ prompt: 'text\\n', input: require('node:stream').Readable.from([]), output: process.stdout })",
    ],
    [
      'a forked module',
      `const { fork } = require('node:child_process');
       const child = fork('-', [], { execArgv: ['-e', 'console.log("text")'] });
       await new Promise((resolve) => child.on('exit', resolve));`,
    ],
    [
      'a worker that prints',
      `const { Worker } = require('node:worker_threads');
       const worker = new Worker('console.log("text")', { eval: true });
       await new Promise((resolve) => worker.on('exit', resolve));`,
    ],
    [
      'a listener for the end of the process',
      "process.on('exit', () => console.log('text')); process.on('beforeExit', () => console.log('before'))",
    ],
  ])('%s', async (_, code) => {
    expect((await run(server, code)).text).toContain('text\n');
  });

  test('every method of console', async () => {
    const { text } = await run(
      server,
      `for (const name of Object.keys(console)) {
         if (['profile', 'profileEnd', 'timeStamp', 'context', 'createTask', 'table'].includes(name)) continue;
         if (typeof console[name] === 'function') console[name](name === 'assert' ? false : 'label', 'said by ' + name);
         console.groupEnd();
       }`,
    );
    for (const name of ['log', 'info', 'debug', 'warn', 'error', 'trace', 'dirxml', 'group', 'assert']) {
      expect(text).toContain(`said by ${name}`);
    }
    expect(text).toContain('label: 1');
  });
});

describe('what no call can own does not reach the client', () => {
  test.each([
    [
      'the handle below the stream',
      "const { WriteWrap } = process.binding('stream_wrap'); process.stdout._handle.writeUtf8String(new WriteWrap(), 'stray\\n')",
    ],
    ['process._rawDebug', "process._rawDebug('stray')"],
    ['a warning', "process.emitWarning('stray')"],
    [
      'a report of Node',
      "process.report.compact = true; process.report.filename = 'stdout'; process.report.writeReport(); process.report.filename = ''",
    ],
    [
      'the engine’s own traces',
      "const v8 = require('node:v8'); v8.setFlagsFromString('--trace-gc'); v8.setFlagsFromString('--expose-gc'); require('node:vm').runInNewContext('gc')(); v8.setFlagsFromString('--no-trace-gc')",
    ],
    [
      'a worker that writes to descriptor 1',
      "const { Worker } = require('node:worker_threads'); await new Promise((resolve) => new Worker('require(\"node:fs\").writeSync(1, \"stray\")', { eval: true }).on('exit', resolve))",
    ],
    [
      'a timer after the call',
      "setTimeout(() => { console.log('stray'); require('node:fs').writeSync(1, 'stray'); }, 5)",
    ],
    [
      'text that looks like an answer',
      "process._rawDebug(JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }))",
    ],
  ])('%s', async (_, code) => {
    expect((await run(server, code)).isError).toBe(false);
    expect((await run(server, "console.log('still there')")).text).toContain('still there\n');
  });
});

describe('the descriptors of the protocol are closed to commands', () => {
  test.each([3, 4])('descriptor %i', async (fd) => {
    const { value } = await run(
      server,
      `const fs = require('node:fs'), { promisify } = require('node:util');
       const tries = {
         writeSync: () => fs.writeSync(${fd}, 'noise'),
         writevSync: () => fs.writevSync(${fd}, [Buffer.from('noise')]),
         write: () => promisify(fs.write)(${fd}, 'noise'),
         writeFileSync: () => fs.writeFileSync(${fd}, 'noise'),
         stream: () => new Promise((resolve, reject) =>
           fs.createWriteStream('', { fd: ${fd} }).on('error', reject).on('finish', resolve).end('noise')),
         closeSync: () => fs.closeSync(${fd}),
       };
       const codes = {};
       for (const [name, work] of Object.entries(tries)) {
         try { codes[name] = await work(); } catch (error) { codes[name] = error.code; }
       }
       return codes;`,
    );
    expect(new Set(Object.values(value))).toEqual(new Set(['EBADF']));
  });

  test('and to their children', async () => {
    const { text } = await run(
      server,
      `const { spawnSync } = require('node:child_process');
       const { status } = spawnSync('sh', ['-c', 'echo noise >&3; echo noise >&4'], { stdio: [0, 1, 2, 3, 4] });
       console.log(status === null ? 'not run' : 'run');`,
    );
    expect(text).toContain('run\n');
  });
});

test('a printed text and a returned value are both results (F005)', async () => {
  expect(await run(server, "console.log('printed')")).toMatchObject({ text: 'printed\n' });
  expect(await run(server, 'return { returned: 1 }')).toMatchObject({ value: { returned: 1 } });
  expect(await run(server, 'process.exit(0)')).toMatchObject({ isError: false });
});

describe.concurrent('a program that writes while it is imported, or until the end', () => {
  test.each([
    [
      'a banner of a configuration library, at import and at each use (F001)',
      "console.log('[config@17] tip: read the manual'); export default program",
    ],
    [
      'descriptors by number',
      "import fs from 'node:fs'; try { fs.writeSync(3, 'noise') } catch {} try { fs.closeSync(4) } catch {}",
    ],
    [
      'test output at the end of the process',
      "import nodeTest from 'node:test'; nodeTest('a test', () => {});",
    ],
    [
      'a listener for the exit',
      "process.on('exit', () => { console.log('noise'); process.stdout.write('noise') });",
    ],
    [
      'output while the client is leaving',
      "process.stdin.on('end', () => console.log('noise')); setInterval(() => console.log('noise'), 1);",
    ],
    [
      'debug output by an environment variable',
      "import { debuglog } from 'node:util'; debuglog('kinds')('noise');",
    ],
  ])('%s', async (_, module) => {
    const noisy = start({ module: `${module}\nexport { program };`, env: { NODE_DEBUG: 'kinds' } });
    await noisy.initialize();
    expect((await run(noisy, "console.log('own')")).text).toContain('own\n');
    expect(await noisy.endInput()).toEqual({ exitCode: 0, signal: null });
    expect(noisy.stdoutLines).toHaveLength(2);
  });
});
