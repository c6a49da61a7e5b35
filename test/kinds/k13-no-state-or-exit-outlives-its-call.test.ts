import { beforeAll, describe, expect, test } from 'vitest';

import type { RawServer } from '../wire/connect.js';
import { call, serve } from './kind-server.js';

/* K13: one program serves all calls of a long life. No value of one is seen by another, and no exit ends the server. */

describe.concurrent.each(['commander12', 'commander13', 'commander14', 'commander15'])('%s', (COMMANDER) => {
  let server: RawServer;

  beforeAll(async () => {
    server = await serve('state.mjs', { env: { COMMANDER } });
  });

  const seen = async (tool: string, sent: object = {}) => JSON.parse((await call(server, tool, sent)).text);

  const FULL = {
    init: true, tags: ['a'], add: ['x', 'y'], env: 'prod', cache: false, verbose: 3, fast: true, root: 'r', words: ['w'],
  }; // prettier-ignore

  test.each(['serial', 'overlapping'])(
    '%s: a call after a full one, a refused one and a cancelled one is clean (F083)',
    async (tool) => {
      const first = await seen(tool);
      await seen(tool, FULL);
      expect(await seen(tool)).toEqual(first);
      await call(server, tool, { ...FULL, tags: 5 });
      expect(await seen(tool)).toEqual(first);
      const cancelled = `${COMMANDER} ${tool}`;
      server.send({
        jsonrpc: '2.0',
        id: cancelled,
        method: 'tools/call',
        params: { name: tool, arguments: { ...FULL, wait: 60_000 } },
      });
      server.notify('notifications/cancelled', { requestId: cancelled });
      expect(await seen(tool)).toEqual(first);
      expect(first.options).toMatchObject({ env: 'none', cache: true, verbose: 0, add: [] });
      expect(first.words).toEqual([]);
    },
  );

  test('overlapping calls each see their own values at every moment, in hooks too (F085)', async () => {
    const sent = [
      { env: 'prod', tags: ['a'], wait: 40 },
      { env: 'dev', add: ['b'], wait: 20, verbose: 2 },
      { wait: 30 },
      { init: true, root: 'r', words: ['w', 'x'], wait: 10 },
      { fast: true, wait: 5 },
    ];
    const answers = await Promise.all(sent.map((each) => seen('overlapping', each)));
    for (const [index, { before, after, options, words }] of answers.entries()) {
      const { root, words: ownWords = [], ...own } = sent[index] as Record<string, any>;
      expect(after).toEqual(before);
      expect(words).toEqual(ownWords);
      expect(after.args).toEqual(ownWords);
      expect(after.root).toEqual(root === undefined ? {} : { root });
      const wanted = { env: own['fast'] ? 'fast' : 'none', cache: true, verbose: 0, add: [], ...own };
      expect(after.opts).toEqual(wanted);
      expect(options).toEqual(wanted);
      for (const name of Object.keys(own)) expect(after.sources[name]).toBe('cli');
    }
  });

  test.each<[how: string, text: RegExp, isError: boolean]>([
    ['exit 0', /^before\n$/, false],
    ['exit 2', /^before\n\[exit code 2\]/, true],
    ['exit in a library', /^before\n\[exit code 3\]/, true],
    ['exit in finally', /^before\n\[exit code 4\]/, true],
    ['commander error', /told by commander\n\[exit code 5\]/, true],
    ['help', /^before\n[^]*Usage: state end/, false],
    ['help with error', /^before\n[^]*Usage: state end/, true],
    ['abort', /^before\n[^]*process\.abort/, true],
    ['kill', /^before\n\[exit code 143\]/, true],
    ['kill the group', /^before\n\[exit code 137\]/, true],
    ['throw a text', /^before\na text$/, true],
    ['reject with nothing', /^before\nThe command failed without a reason/, true],
    ['reject unheard', /^before\nError: unheard$/, true],
    ['parse again', /^before\n\{/, false],
  ])('%s ends the call alone (F087)', async (how, text, isError) => {
    expect(await call(server, 'end', { how })).toEqual({
      text: expect.stringMatching(text),
      isError,
      value: undefined,
    });
    expect((await seen('serial')).options.env).toBe('none');
  });

  test.each<[sent: object, ...told: string[]]>([
    [{}, '"how"'],
    [{ how: 'exit 0', size: 'big' }, '"size"', '"small", "huge"'],
    [{ how: 'exit 0', one: true, two: true }, 'parameter "one"', 'parameter "two"'],
  ])('%j is refused in the names that the caller knows (F089)', async (sent, ...told) => {
    const { text, isError } = await call(server, 'end', sent);
    expect(isError).toBe(true);
    for (const each of told) expect(text).toContain(each);
    expect(text).not.toMatch(/before|Usage:/);
  });
});

test.each(['commander12', 'commander13', 'commander14', 'commander15'])(
  '%s: the same where the program has classes of its own',
  async (COMMANDER) => {
    const server = await serve('own-ways.mjs', { env: { COMMANDER, WAYS: 'derived' } });
    const seen = async (sent: object) => JSON.parse((await call(server, 'run', sent)).text).all;
    const full = { own_global: 'g', own_list: ['a', 'b'], own_word: 'w' };
    expect(await seen(full)).toEqual(full);
    expect(await seen({})).toEqual({});
    expect(await seen({ own_list: ['c'] })).toEqual({ own_list: ['c'] });
  },
);

test.each(['commander12', 'commander15'])(
  '%s: no help follows an error, whatever a program shows people',
  async (COMMANDER) => {
    const server = await serve('own-ways.mjs', { env: { COMMANDER, WAYS: 'helpful' } });
    for (const [tool, sent, told] of [
      ['run', { even: '3' }, 'It is odd.'],
      ['fail', {}, 'its own error'],
    ] as const) {
      const { text, isError } = await call(server, tool, sent);
      expect({ text, isError }).toEqual({ text: expect.stringContaining(told), isError: true });
      expect(text).not.toMatch(/Usage:|more help/);
    }
    expect((await call(server, 'assist')).text).toContain('Usage: helpful assist');
  },
);

test('a call that never ends is cut by the time limit, and the next one runs (F087)', async () => {
  const server = await serve('state.mjs', { settings: { callTimeoutMs: 300 } });
  for (const [tool, sent] of [
    ['never', {}],
    ['end', { how: 'never' }],
  ] as const) {
    expect(await call(server, tool, sent)).toMatchObject({
      isError: true,
      text: expect.stringContaining('Timed out'),
    });
  }
  expect((await call(server, 'serial')).isError).toBe(false);
  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
});
