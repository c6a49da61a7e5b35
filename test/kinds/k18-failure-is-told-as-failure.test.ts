import { beforeAll, describe, expect, test } from 'vitest';

import { run, start } from '../start/start.js';
import { connect, modernMeta, textOf, type RawServer } from '../wire/connect.js';
import { ENTRY } from '../start/start.js';
import { call, serve, startOf } from './kind-server.js';

/* K18: a failure is an error with its reason, a success is none, and neither tells what is nobody's business. */

let server: RawServer;
let ends: RawServer;

beforeAll(async () => {
  server = start();
  ends = await serve('ends.mjs');
  await server.initialize();
});

describe('whatever is thrown fails its call, with all that can be said of it', () => {
  test.each([
    ["new TypeError('reason')", /^TypeError: reason$/],
    ["Object.assign(new Error('no file'), { code: 'ENOENT' })", /^Error: no file \(ENOENT\)$/],
    [
      "new Error('first', { cause: new Error('second', { cause: 'third' }) })",
      /^Error: first\nCaused by: Error: second\nCaused by: third$/,
    ],
    ["new AggregateError([new Error('one'), 'two'], 'both')", /^AggregateError: both\n- Error: one\n- two$/],
    ["new DOMException('gone', 'AbortError')", /^AbortError: gone$/],
    ["require('node:vm').runInNewContext('new Error(\"foreign\")')", /^Error: foreign$/],
    ["Object.freeze(new Error('frozen'))", /^Error: frozen$/],
    ["'a text'", /^a text$/],
    ['{ code: 5 }', /^\{"code":5\}$/],
    ['undefined', /without a reason.*undefined/],
    ['null', /without a reason.*null/],
    ["Symbol('s')", /^Symbol\(s\)$/],
    ['Object.create(null)', /^\{\}$/],
    ['new Error()', /^Error$/],
    ["new Error('x'.repeat(100_000))", /^Error: x+ \[…\]$/],
    ["(() => { const e = new Error('loop'); e.cause = e; e.errors = [e]; return e; })()", /^Error: loop\n/],
    ["new Proxy(new Error(), { get() { throw new Error('trap'); } })", /cannot be read/],
    ["{ get message() { throw new Error('getter'); } }", /cannot be shown/],
    [
      "Object.defineProperty(new Error('odd'), 'cause', { get() { throw new Error('getter'); } })",
      /cannot be shown/,
    ],
    ["Object.assign(new Error('odd'), { name: 5, code: {} })", /^Error: odd$/],
    ["Object.assign(new Error(), { message: Symbol('m') })", /./],
  ])('throw %s', async (value, text) => {
    for (const code of [`throw ${value}`, `await Promise.reject(${value})`]) {
      const answer = await run(server, code);
      expect(answer).toEqual({ isError: true, text: expect.stringMatching(text), value: undefined });
      expect(answer.text.length).toBeLessThan(5_000);
    }
  });
});

test.each([
  "Promise.resolve().then(() => { throw new Error('floating'); }); return 'Done.';",
  "Promise.reject(new Error('floating'));",
  "(async () => { await null; await null; throw new Error('floating'); })(); console.log('Done.');",
  "queueMicrotask(() => { throw new Error('floating'); });",
  "process.nextTick(() => { throw new Error('floating'); });",
])('what fails beside an action that has returned: %s', async (code) => {
  expect(await run(server, code)).toMatchObject({ isError: true, text: expect.stringContaining('floating') });
  expect(await run(server, 'return 1')).toMatchObject({ isError: false, text: '1' });
});

describe('an exit code is what a shell would see of it', () => {
  test.each([
    ['0', 0], ['"0"', 0], ['undefined', 0], ['null', 0], ['256', 0], ['1', 1], ['"2"', 2], ['-1', 255], ['257', 1], ['1.5', 1], ['true', 1], ['{}', 1], ['NaN', 1],
  ])('process.exit(%s): %i', async (code, exitCode) => {
    const { text, isError } = await run(server, `console.log('out'); process.exit(${code})`);
    expect(isError).toBe(exitCode !== 0);
    expect(text).toBe(exitCode === 0 ? 'out\n' : `out\n[exit code ${exitCode}] The command failed.`);
  }); // prettier-ignore
});

describe.concurrent.each(['here', 'child'])('the two streams and the code, %s (F114)', (place) => {
  const tool = place === 'here' ? 'end' : 'end_as_child';

  test('stderr alone and code 1: an error that carries it', async () => {
    expect(await call(ends, tool, { err: 'why', code: 1 })).toMatchObject({
      isError: true,
      text: '[stderr]\nwhy\n[exit code 1] The command failed.',
    });
  });

  test('stderr and code 0: no error, and stderr is kept apart', async () => {
    expect(await call(ends, tool, { out: 'result', err: 'note', code: 0 })).toMatchObject({
      isError: false,
      text: 'result\n[stderr]\nnote\n',
    });
  });

  test('half of the output, then a throw', async () => {
    const { text, isError } = await call(ends, tool, { out: 'half', throws: 'broken' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^half\n[^]*broken/);
  });

  test('codes that are a result say so, and commander’s refusal is none of them', async () => {
    expect(await call(ends, tool, { out: 'found', code: 3 })).toMatchObject({
      isError: false,
      text: 'found\n[exit code 3]',
    });
    expect(await call(ends, tool, { out: 'found', code: 4 })).toMatchObject({ isError: true });
    expect(await call(ends, tool, { one: true, two: true })).toMatchObject({
      isError: true,
      text: expect.stringContaining('parameter "one"'),
    });
  });

  test('nothing printed: said in either case', async () => {
    expect(await call(ends, tool, { code: 0 })).toMatchObject({
      isError: false,
      text: expect.stringContaining('printed nothing'),
    });
    expect(await call(ends, tool, { code: 9 })).toMatchObject({
      isError: true,
      text: expect.stringContaining('[exit code 9]'),
    });
  });

  test('an error has no structured content (F116)', async () => {
    for (const sent of [{ code: 1 }, { throws: 'x' }, { out: '{"a":1}', code: 2 }]) {
      expect((await call(ends, tool, sent)).value).toBeUndefined();
    }
  });
});

test('a signal and the time limit are named (F116)', async () => {
  const limited = await serve('ends.mjs', { settings: { callTimeoutMs: 1_500 } });
  expect(await call(limited, 'end_as_child', { signal: 'SIGSEGV' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('SIGSEGV'),
  });
  const waits = await Promise.all(
    ['end', 'end_as_child'].map((tool) => call(limited, tool, { out: 'so far', hangs: true })),
  );
  for (const { text, isError, value } of waits) {
    expect({ isError, value }).toEqual({ isError: true, value: undefined });
    expect(text).toContain('so far\n');
    expect(text).toContain('1500 ms');
  }
});

describe('an error tells no more than its reader needs (F119)', () => {
  const SECRET = 'pass-word-of-a-url';

  test.each(['end', 'end_as_child'])('%s: no stack; passwords in addresses are masked', async (tool) => {
    const { text } = await call(ends, tool, {
      throws: `cannot reach postgres://me:${SECRET}@db.example.com/x`,
    });
    expect(text).toContain('db.example.com');
    if (tool === 'end') expect(text).not.toContain(SECRET);
    if (tool === 'end') expect(text).not.toMatch(/^\s+at /m);
  });

  test('in causes and lists of errors, too', async () => {
    const { text } = await run(
      server,
      `const inner = new Error('https://me:${SECRET}@a/'); throw Object.assign(new Error('outer', { cause: inner }), { errors: [inner, 'ftp://me:${SECRET}@b/'] })`,
    );
    expect(text).toContain('outer');
    expect(text).not.toContain(SECRET);
  });
});

describe('a tool that is not there (F118)', () => {
  const WRONG = ['stat', 'Run', 'RUN', 'rnu', 'start_run', 'run ', '', '__proto__', 'x'.repeat(10_000)];

  test.each(['old', 'new'])('%s era: the same protocol error, with near names', async (era) => {
    const meta = era === 'new' ? { _meta: modernMeta() } : {};
    const other = start();
    if (era === 'old') await other.initialize();
    for (const name of WRONG) {
      const { error, result } = await other.request('tools/call', { name, ...meta });
      expect(result).toBeUndefined();
      expect(error?.code).toBe(-32_602);
      expect(error?.message.length).toBeLessThan(300);
      if (/^r[un]{2}$/i.test(name.trim())) expect(error?.data).toEqual({ nearest: ['run'] });
    }
  });

  test.concurrent.each(['v1', 'v2 2026-07-28'] as const)(
    'the %s client sees an error of the protocol, and a result for a failed command',
    async (kind) => {
      const client = await connect(kind, ENTRY, startOf('ends.mjs'));
      await expect(client.callTool('edn')).rejects.toMatchObject({ code: -32_602 });
      const failed = await client.callTool('end', { err: 'why', code: 1 });
      expect(failed.isError).toBe(true);
      expect(textOf(failed)).toContain('why');
    },
  );
});

test('what a command returns is told, whatever it is', async () => {
  const values: readonly (readonly [code: string, text: string, value?: unknown])[] = [
    ["'text'", 'text'],
    ['5', '5'],
    ['false', 'false'],
    ['10n', '10'],
    ['[1]', '[1]', { array: [1] }],
    ['{ a: { b: [null] } }', '{"a":{"b":[null]}}', { a: { b: [null] } }],
    ['new Date(0)', '1970-01-01T00:00:00.000Z'],
    ["{ half: '\\ud800' }", '{"half":"\ufffd"}', { half: '\ufffd' }],
  ];
  for (const [code, text, value] of values) {
    expect(await run(server, `return ${code}`)).toEqual({ text, isError: false, value });
  }
  for (const code of [
    '{ a: 10n }',
    '(() => { const a = {}; a.a = a; return a; })()',
    '{ get a() { throw new Error("g"); } }',
    '{ toJSON() { throw new Error("j"); } }',
  ]) {
    expect(await run(server, `return ${code}`)).toMatchObject({
      text: expect.stringMatching(/^\[The command returned a value that is not JSON \(.+\): return /),
      isError: true,
    });
    // By the way: its result is what it printed.
    expect(await run(server, `console.log('done'); return ${code}`)).toMatchObject({
      text: expect.stringMatching(
        /^done\n\[What the command returned besides is left out: it is not JSON \(.+\)\.\]$/,
      ),
      isError: false,
    });
  }
});
