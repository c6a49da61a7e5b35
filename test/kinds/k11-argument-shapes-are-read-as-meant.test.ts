import { beforeAll, describe, expect, test } from 'vitest';

import { connect, textOf, type RawServer } from '../wire/connect.js';
import { ENTRY } from '../start/start.js';
import { call, list, serve, startOf } from './kind-server.js';

/*
 * K11: clients send values in forms of their own. What can be meant in one way only is read so; everything else is
 * refused with the parameter and the form that is wanted. Nothing is bent, and nothing runs on a guess.
 */

let server: RawServer;

beforeAll(async () => {
  server = await serve('every-kind.mjs', { env: { KINDS_REGION: 'north' } });
});

const NOTHING = { words: [], add: [], cheese: true, verbose: 0, region: 'north' };
const OMITTED = Symbol('the value that commander has without it');

type Row = readonly [parameter: string, sent: unknown, received: unknown];

const READ: readonly Row[] = [
  ['flag', true, true],
  ['flag', 'true', true],
  ['flag', 'false', OMITTED],
  ['flag', null, OMITTED],
  ['count', 5, 5],
  ['count', '5', 5],
  ['count', '5.0', 5],
  ['count', 3.0, 3],
  ['count', '-5', -5],
  ['count', -0, 0],
  ['ratio', '-0.5', -0.5],
  ['ratio', 1e-7, 1e-7],
  ['list', ['a', 'b'], ['a', 'b']],
  ['list', 'a b', ['a b']],
  ['list', 'a,b', ['a,b']],
  ['list', '["a","b"]', ['a', 'b']],
  ['list', '[a]', ['[a]']],
  ['list', '', ['']],
  ['list', [], OMITTED],
  ['text', '', ''],
  ['text', 'null', 'null'],
  ['text', 'true', 'true'],
  ['text', ' 5 ', ' 5 '],
  ['size', 'small', 'small'],
  ['rank', 2, '2'],
  ['rank', '2', '2'],
  ['drink', true, 'medium'],
  ['drink', 'true', 'true'],
  ['drink', 'false', 'false'],
  ['drink', false, OMITTED],
  ['verbose', '2', 2],
  ['filter', { a: 1 }, '{"a":1}'],
  ['filter', [1], '[1]'],
  ['filter', '{"a":1}', '{"a":1}'],
  ['region', null, 'north'],
  ['when', '2026-02-28', '2026-02-28'],
];

test.each(READ)('%s: %j is read', async (parameter, sent, received) => {
  const { text, isError } = await call(server, 'all', { [parameter]: sent });
  expect(isError, text).toBe(false);
  expect(JSON.parse(text)).toEqual(received === OMITTED ? NOTHING : { ...NOTHING, [parameter]: received });
});

const WRONG: readonly (readonly [parameter: string, wanted: string, ...sent: unknown[]])[] = [
  ['flag', 'true or false', '1', 'yes', 'TRUE', 'True', ' true', '', 0, 1, 'null', [true], [], {}],
  [
    'count',
    'an integer',
    ' 5',
    '5 ',
    '1e3',
    '0x10',
    '+5',
    '05',
    '5,0',
    '٥',
    '',
    'NaN',
    'Infinity',
    5.5,
    true,
    [5],
    {},
  ],
  ['count', 'where whole numbers are exact', 1e21, 9_007_199_254_740_992],
  ['count', 'an integer', '9007199254740993'],
  ['ratio', 'a number', '1e3', '.5', '5.', '0.1234567890123456789', 'abc', true],
  ['list', 'a text', [1, 2], [true], [null], [['a']], 5],
  ['list', 'an array', { 0: 'a' }],
  ['text', 'a text', 5, true, ['a'], {}],
  ['size', '"small", "huge"', 'Small', 'smal', 'huge ', '', 5, true, ['small'], {}],
  ['rank', '"1", "2", "3"', '01', '1.0', 4, true],
  ['drink', 'true or false or a text', 5, [], {}],
  ['verbose', 'an integer of at least 0', -1, 1.5, true, 'many'],
  ['when', 'ISO 8601', '2026-02-30', 'now', ''],
  ['filter', 'JSON text', '{a:1}', 'x', ''],
];

test.each(WRONG)('%s: refused unless it is %s', async (parameter, wanted, ...values) => {
  for (const sent of values) {
    const { text, isError, code } = await call(server, 'all', { [parameter as string]: sent });
    expect({ isError, code }, JSON.stringify(sent)).toEqual({ isError: true });
    expect(text).toContain(`"${parameter}`);
    expect(text).toContain(wanted);
    expect(text).toContain('Nothing was run.');
  }
});

test.each(['count', 'ratio'])(
  '%s: a number too large for JavaScript arrives as Infinity, and is refused',
  async (parameter) => {
    server.send(
      `{"jsonrpc":"2.0","id":"large-${parameter}","method":"tools/call","params":{"name":"all","arguments":{"${parameter}":1e400}}}\n`,
    );
    const { result } = await server.answerTo(`large-${parameter}`);
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain(parameter);
  },
);

test('null for everything that is optional is nothing at all (F067)', async () => {
  const properties = (await list(server)).get('all')?.['inputSchema'].properties;
  const nulls = Object.fromEntries(Object.keys(properties).map((key) => [key, null]));
  expect(JSON.parse((await call(server, 'all', nulls)).text)).toEqual(NOTHING);
  const missing = await call(server, 'required', { group: null, iamIds: null });
  expect(missing.text).toMatch(/"group": it is required[^]*|[^]*"iamIds": it is required/);
  expect(missing.isError).toBe(true);
});

describe('arguments that are missing, or are no object (F069)', () => {
  test.each([[undefined], [{}]])('%j runs the command', async (sent) => {
    expect((await call(server, 'nothing', sent)).text).toBe('ran\n');
  });

  test.each([[null], [[]], [''], ['{}'], ['{"text":"x"}'], [5], [true]])(
    '%j is a wrong request',
    async (sent) => {
      for (const name of ['nothing', 'all']) {
        expect(await call(server, name, sent)).toMatchObject({
          code: -32_602,
          text: expect.stringContaining('arguments'),
        });
      }
      expect((await call(server, 'nothing')).text).toBe('ran\n');
    },
  );
});

test('the same parameter twice, under two names, is refused whatever the values', async () => {
  for (const sent of [
    { flag: true, '--flag': true },
    { color: true, '--no-color': true },
    { p: 'a', '-p': 'b' },
  ]) {
    const { text, isError } = await call(server, 'all', sent);
    expect(isError).toBe(true);
    expect(text).toContain('are the same parameter');
  }
});

test('all that is wrong is told in one answer, with no more of a value than fits', async () => {
  const { text } = await call(server, 'all', { count: 'x'.repeat(10_000), size: 'no', Flag: true, when: 5 });
  expect(text).toContain('4 problems');
  expect(text.length).toBeLessThan(1_000);
});

test('thousands of wrong keys are answered at once', async () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${index}`, index]));
  expect((await call(server, 'all', many)).isError).toBe(true);
  expect((await call(server, 'nothing')).text).toBe('ran\n');
});

test.concurrent.each(['v1', 'v2 legacy', 'v2 2026-07-28'] as const)(
  'the %s client hands lenient values on, and no schema of the SDK stops or drops them',
  async (kind) => {
    const client = await connect(kind, ENTRY, startOf('every-kind.mjs'));
    for (const name of ['all', 'all_as_child']) {
      const lenient = await client.callTool(name, { flag: 'true', count: '5', list: 'one', text: null });
      expect(JSON.parse(textOf(lenient))).toMatchObject({ flag: true, count: 5, list: ['one'] });
      const wrong = await client.callTool(name, { flg: true });
      expect(wrong.isError).toBe(true);
      expect(textOf(wrong)).toContain('Did you mean flag?');
    }
  },
);
