import { beforeAll, describe, expect, test } from 'vitest';

import { run, start } from '../start/start.js';
import { modernMeta, startServer, type RawServer } from '../wire/connect.js';

/* K02: all calls share one process. What one of them changes there, the next one does not find. */

let server: RawServer;

beforeAll(async () => {
  server = start();
  await server.initialize();
});

/** A call that fails late, by what nobody catches: it hears of it only through the server's own listeners. */
const FAIL_LATE = `
  setTimeout(() => { throw new Error('late') });
  await new Promise((resolve) => setTimeout(resolve, 60_000).unref());`;

async function expectUnharmed(each: RawServer = server): Promise<void> {
  expect(await run(each, "console.log('own'); process.stdout.write('text\\n')")).toMatchObject({
    text: 'own\ntext\n',
  });
  expect(await run(each, FAIL_LATE)).toMatchObject({ isError: true, text: 'Error: late' });
  expect(await run(each, 'process.exit(7)')).toMatchObject({
    text: expect.stringContaining('[exit code 7]'),
  });
}

describe('what a command puts in the place of something shared is gone with its call', () => {
  test.each([
    ['console.log', 'console.log = () => {}'],
    ['console as a whole', 'globalThis.console = { log() {} }'],
    [
      'console by its property',
      "Object.defineProperty(globalThis, 'console', { value: { log() {} }, configurable: true })",
    ],
    ['process.stdout.write', 'process.stdout.write = () => true'],
    [
      'process.stdout.write by its property',
      "Object.defineProperty(process.stdout, 'write', { value: () => true, configurable: true, writable: true })",
    ],
    [
      'process.stdout itself',
      "const { PassThrough } = require('node:stream'); Object.defineProperty(process, 'stdout', { value: new PassThrough(), configurable: true })",
    ],
    ['process.exit', 'process.exit = () => {}; process.exit(3)'],
    [
      'process.exit by its property',
      "Object.defineProperty(process, 'exit', { value: () => {}, configurable: true }); process.exit(3)",
    ],
    [
      'the listeners for errors',
      "for (const event of ['uncaughtException', 'unhandledRejection']) for (const each of process.listeners(event)) process.off(event, each)",
    ],
    ['all listeners', 'process.removeAllListeners()'],
    [
      'listeners taken off and put back, as test runners do',
      "const kept = process.listeners('uncaughtException'); process.removeAllListeners('uncaughtException'); for (const each of kept) process.removeListener('uncaughtException', each); for (const each of kept) process.on('uncaughtException', each)",
    ],
    ['a callback that captures all errors', 'process.setUncaughtExceptionCaptureCallback(() => {})'],
    [
      'a stream that is ended, destroyed and corked',
      'process.stdout.cork(); process.stdout.end(); process.stdout.destroy(); process.stderr.end()',
    ],
    [
      'members of every object',
      'Object.prototype.extension = 1; Object.prototype.toJSON = undefined; Array.prototype.last = 1',
    ],
    [
      'how stacks are made',
      "Error.prepareStackTrace = () => { throw new Error('stack') }; Error.stackTraceLimit = 0",
    ],
  ])('%s', async (_, code) => {
    expect((await run(server, code)).isError).toBe(false);
    await expectUnharmed();
  });

  test.each([
    ['process.cwd', "process.cwd = () => '/elsewhere'", 'process.cwd()'],
    ['the working directory', "process.chdir('/')", 'process.cwd()'],
    [
      'a variable',
      "process.env.KINDS = 'x'; delete process.env.PATH",
      '[process.env.KINDS, process.env.PATH]',
    ],
    ['the environment as a whole', "process.env = { KINDS: 'x' }", '[process.env.KINDS, process.env.PATH]'],
    [
      'the environment by its property',
      "Object.defineProperty(process, 'env', { value: { KINDS: 'x' }, configurable: true })",
      '[process.env.KINDS, process.env.PATH]',
    ],
    ['argv', "process.argv.push('x'); process.argv = ['x']", 'process.argv.length'],
    ['the mask of new files', 'process.umask(0o777)', 'process.umask()'],
    [
      'being a terminal',
      'process.stdout.isTTY = true; process.stdout.columns = 7',
      '[process.stdout.isTTY, process.stdout.columns]',
    ],
    ['the exit code', 'process.exitCode = 5', 'process.exitCode ?? null'],
    ['counters and indentation', "console.group('g'); console.count('n')", '(console.count("n"), 1)'],
    [
      'stdin',
      "process.stdin.destroy(); process.stdin.on('data', () => {}); process.stdin.setEncoding('hex')",
      '[process.stdin.destroyed, process.stdin.readableEncoding, process.stdin.listenerCount("data")]',
    ],
    [
      'names of signals',
      "process.on('SIGINT', () => {}); process.on('exit', () => {})",
      "[process.listenerCount('SIGINT'), process.listenerCount('exit')]",
    ],
  ])('%s', async (_, code, look) => {
    const before = await run(server, `return { found: ${look} }`);
    await run(server, code);
    const after = await run(server, `return { found: ${look} }`);
    expect(after).toEqual(before);
  });
});

test('30 calls that leave listeners and timers behind: no warning, none of them runs, the end is prompt (F010)', async () => {
  const own = start();
  await own.initialize();
  const leave = `
    for (const event of ['SIGINT', 'SIGTERM', 'unhandledRejection', 'uncaughtException', 'warning'])
      process.on(event, () => process._rawDebug('an old listener for ' + event));
    process.stdout.on('drain', () => {});
    setInterval(() => {}, 1);
    require('node:net').createServer().listen(0, '127.0.0.1');`;
  for (let calls = 0; calls < 30; calls += 1) expect((await run(own, leave)).isError).toBe(false);
  await expectUnharmed(own);
  own.process.kill('SIGTERM');
  expect(await own.exited).toEqual({ exitCode: 0, signal: null });
  expect(own.stderr).toBe('');
});

test('a command that waits holds up neither lists, pings nor errors (F008)', async () => {
  server.send({
    jsonrpc: '2.0',
    id: 'waits',
    method: 'tools/call',
    params: { name: 'run', arguments: { code: "console.log('waiting'); await new Promise(() => {})" } },
  });
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      Promise.all([
        server.request('ping'),
        server.request('tools/list'),
        server.request('tools/call', { name: 'none' }),
        server.request('tools/call', { name: 'run', arguments: { wrong: 1 } }),
      ]),
    ),
  );
  expect(answers).toHaveLength(10);
  server.notify('notifications/cancelled', { requestId: 'waits' });
  await expectUnharmed();
  expect(server.messages.filter(({ id }) => id === 'waits')).toEqual([]);
});

describe.concurrent('what the program changes while it is imported does no harm either', () => {
  test.each([
    ['all listeners taken off', 'process.removeAllListeners();'],
    [
      'a listener for errors that ends the process',
      "process.on('uncaughtException', () => process.exit(9)); process.on('unhandledRejection', () => process.exit(9));",
    ],
    ['a callback that captures all errors', 'process.setUncaughtExceptionCaptureCallback(() => {});'],
    ['members of every object', 'Object.prototype.extension = 1;'],
    [
      'a console of its own',
      'const { log } = console; globalThis.console = { ...console, log: (...args) => log(...args) };',
    ],
    [
      'a wrapped stdout.write',
      'const { write } = process.stdout; process.stdout.write = (...args) => write.apply(process.stdout, args);',
    ],
    [
      'a wrapped exit, as profilers do',
      'const { exit } = process; process.exit = (code) => exit.call(process, code);',
    ],
    [
      'exit listeners through the hook that others use',
      'const { emit } = process; process.emit = function (...args) { return emit.apply(this, args) };',
    ],
    [
      'a thrown error after the import',
      "setTimeout(() => { throw new Error('stray') }); void Promise.reject(new Error('stray'));",
    ],
  ])('%s', async (_, module) => {
    const other = start({ module: `${module}\nexport { program };` });
    await other.initialize();
    await expectUnharmed(other);
    other.process.kill('SIGTERM');
    expect(await other.exited).toEqual({ exitCode: 0, signal: null });
  });
});

test('2026-07-28 is served, too, when a command has extended every object', async () => {
  const other = start();
  const code =
    "Object.prototype.extension = 1; Object.prototype.method = function () {}; console.log('done')";
  const ask = (method: string, params: object = {}) =>
    other.request(method, { ...params, _meta: modernMeta() });
  expect((await ask('tools/call', { name: 'run', arguments: { code } })).result).toBeDefined();
  expect((await ask('tools/list')).result?.['tools']).toHaveLength(3);
  expect((await ask('tools/call', { name: 'run', arguments: { code } })).result).toBeDefined();
});

test('overlapping calls that replace the same things keep them apart (F006)', async () => {
  const overlapping = startServer('test/fixtures/overlap/mcp.mjs');
  await overlapping.initialize();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      overlapping.request('tools/call', {
        name: 'step',
        arguments: { way: 'console', end: 'print', tag: `t${'x'.repeat(index % 5)}${index}` },
      }),
    ),
  );
  for (const [index, { result }] of answers.entries()) {
    const tag = `t${'x'.repeat(index % 5)}${index}`;
    expect(result?.['content'][0].text).toBe(`<${tag} first>\n<${tag} last>\n<${tag} printed>\n`);
  }
});

test('ends in a finally block and in a hook for the exit are each call’s own (F011)', async () => {
  const ends = [
    ["try { throw new Error('x') } finally { process.exit(0) }", /^Done/],
    ["process.on('beforeExit', () => process.exit(6))", /exit code 6/],
    ["process.on('exit', () => { process.exitCode = 8 })", /exit code 8/],
    ['process.exitCode = 1', /exit code 1/],
    ["console.log('fine')", /^fine\n$/],
  ] as const;
  const answers = await Promise.all(ends.map(([code]) => run(server, code)));
  for (const [index, { text }] of answers.entries()) expect(text).toMatch(ends[index]![1]);
});
