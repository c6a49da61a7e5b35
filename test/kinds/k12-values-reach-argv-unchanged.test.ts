import { beforeAll, describe, expect, test } from 'vitest';

import type { RawServer } from '../wire/connect.js';
import { call, serve } from './kind-server.js';

/*
 * K12: what was sent is what the action gets, over every major of commander, in process and in a child: the random
 * programs of argv-property.test.ts prove the rules, these tests the whole way from the wire.
 */

const AWKWARD = [
  '-83,23', '-10', '-5', '-', '--', '-h', '-v', '--force', '--help', '--version', '--no-cheese', '--flag', '=', 'a=b', '--x=y',
  '\n', 'a\nb', '\r\n', '\t', ' lead', 'trail ', '"q"', "'q'", '\\', '$(id)', '`id`', '${HOME}', '%PATH%', '%s %d', '*', '~', '~/x',
  '!!', '#c', '&', '|', ';', '>', '<', '@file', 'help', 'all', 'required', '😀', '\u200f\u202e', 'e\u0301', '\ufeff', '', '\u0000',
  'a\u0000b', 'x'.repeat(100_000),
]; // prettier-ignore

describe.concurrent.each(['commander12', 'commander15'])('%s', (COMMANDER) => {
  let server: RawServer;

  beforeAll(async () => {
    server = await serve('every-kind.mjs', {
      env: { COMMANDER },
      settings: { outputBudgetBytes: 10_000_000 },
    });
  });

  async function received(tool: string, sent: object) {
    const { text, isError } = await call(server, tool, sent);
    expect(isError, text.slice(0, 500)).toBe(false);
    return JSON.parse(text);
  }

  test('awkward texts, in every place that takes one (F075, F081)', async () => {
    for (const text of AWKWARD) {
      const sent = {
        text, drink: text, sauce: text, p: text, profile: text, region: text,
        list: [text, 'x', text], add: [text, text], words: [text, '--', text],
      }; // prettier-ignore
      expect(await received('all', sent), JSON.stringify(text).slice(0, 50)).toMatchObject(sent);
    }
  });

  test('the same in a child', async () => {
    const lists = { list: AWKWARD, add: AWKWARD, words: AWKWARD };
    const sent = { ...lists, text: AWKWARD.join(''), drink: '--help', sauce: '-x', p: '=v', profile: '-p' };
    expect(await received('all_as_child', sent)).toMatchObject(sent);
  });

  test('three states of a flag and its opposite; a lone opposite (F077)', async () => {
    const states = (name: string) =>
      Promise.all(
        [{}, { [name]: true }, { [name]: false }].map(async (sent) => (await received('all', sent))[name]),
      );
    expect(await states('color')).toEqual([undefined, true, false]);
    expect(await states('cheese')).toEqual([true, true, false]);
    expect(await states('flag')).toEqual([undefined, true, undefined]);
  });

  test('a value with an opposite: the text "false" is a text (F078)', async () => {
    const sauces = [{}, { sauce: 'blue' }, { sauce: false }, { sauce: 'false' }, { sauce: 'no-sauce' }];
    const found = await Promise.all(sauces.map(async (sent) => (await received('all', sent)).sauce));
    expect(found).toEqual([undefined, 'blue', false, 'false', 'no-sauce']);
    expect(await call(server, 'all', { sauce: true })).toMatchObject({ isError: true });
  });

  test('a value that may be left out: absent, bare, given; it swallows nothing (F079)', async () => {
    const words = ['a.txt'];
    const found = await Promise.all(
      [{}, { drink: true }, { drink: 'small' }, { drink: '' }, { drink: '-3' }, { drink: false }].map(
        (sent) => received('all', { ...sent, words }),
      ),
    );
    expect(found.map(({ drink }) => drink)).toEqual([undefined, 'medium', 'small', '', '-3', undefined]);
    for (const each of found) expect(each.words).toEqual(words);
  });

  test('bare values on two levels, with flags and positionals behind them', async () => {
    const sent = { drink: true, flag: true, list: ['a'], p: 'x', verbose: 3, words: ['w'], profile: 'me' };
    expect(await received('all', sent)).toMatchObject({ ...sent, drink: 'medium' });
  });

  test('positionals: the order of keys says nothing, a gap is refused, nothing shifts (F073)', async () => {
    const forms = [
      { group: 'g', iamIds: '1', second: 's', third: 't' },
      { third: 't', iamIds: '1', second: 's', group: 'g' },
    ];
    for (const sent of forms) expect(await received('required', sent)).toEqual(['g', 's', 't', '1']);
    const gap = await call(server, 'required', { group: 'g', iamIds: '1', third: 't' });
    expect(gap).toMatchObject({ isError: true, text: expect.stringContaining('"third" needs "second"') });
  });

  test('numbers come as they were sent, never in another notation', async () => {
    const numbers = [0, -0, 1, -1, 1e15, 9_007_199_254_740_991, -9_007_199_254_740_991];
    for (const count of numbers) expect((await received('all', { count })).count).toBe(count + 0);
    for (const ratio of [0.1, -0.5, 1e-7, 123.456])
      expect((await received('all', { ratio })).ratio).toBe(ratio);
  });

  test('what no command line can say is refused, and nothing runs', async () => {
    const impossible = [
      { region: false },
      { verbose: 5_000 },
      { sauce: true },
      { list: Array(60_000).fill('x') },
    ];
    for (const sent of impossible) {
      const { text, isError } = await call(server, 'all', sent);
      expect(isError, text.slice(0, 200)).toBe(true);
      expect(text).toContain('Nothing was run.');
    }
  });

  test('a parser that refuses is told by its parameter (F089)', async () => {
    for (const tool of ['all', 'all_as_child']) {
      const { text, isError } = await call(server, tool, { even: '3' });
      expect(isError).toBe(true);
      expect(text).toContain('must be even.');
      expect(text).toContain('"even"');
      expect(text).not.toContain('Usage:');
    }
  });
});

describe.each(['commander12', 'commander15'])(
  '%s, where the author does something of his own',
  (COMMANDER) => {
    const serveOwn = (WAYS: string) => serve('own-ways.mjs', { env: { COMMANDER, WAYS } });

    test('what a listener makes of an option is its value', async () => {
      const server = await serveOwn('listening');
      for (const [sent, all] of [
        [{ level: 'low' }, { level: 'LOW' }],
        [{ verbose: true }, { verbose: true, more: 'debug' }],
        [
          { verbose: true, more: 'mine', level: '-x' },
          { verbose: true, level: '-X' },
        ],
      ]) {
        const { text } = await call(server, 'run', sent);
        expect(JSON.parse(text).all).toMatchObject(all ?? {});
      }
    });

    test('a parser that reads another number than was sent is told at start, and runs nothing', async () => {
      const server = await serveOwn('numbers');
      for (const [sent, named] of [
        [{ port: 3000 }, '"port"'],
        [{ count: 20 }, '"count"'],
        [{ ids: [1, 2] }, '"ids" must be a number'],
      ] as const) {
        const { text, isError } = await call(server, 'run', sent);
        expect({ text, isError }).toEqual({ text: expect.stringContaining(named), isError: true });
        expect(text).toContain('Nothing was run');
      }
      const { text } = await call(server, 'run', { size: 12, ids: 7 });
      expect(JSON.parse(text)).toMatchObject({ rest: [16], all: { port: 8080, size: 12, ids: 7 } });
      for (const option of ['--port <n>', 'argument "count"', '--ids <n...>'])
        expect(server.stderr).toContain(option);
      expect(server.stderr).not.toContain('--size');
    });
  },
);
