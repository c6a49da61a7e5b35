import { beforeAll, describe, expect, test } from 'vitest';

import type { RawServer } from '../wire/connect.js';
import { call, list, serve } from './kind-server.js';

/* K14: whatever a program's structure is, the command that was called runs, with the values that were sent. */

const PROGRAMS = [
  { COMMANDER: 'commander12', POSITIONAL: '' },
  { COMMANDER: 'commander12', POSITIONAL: '1' },
  { COMMANDER: 'commander15', POSITIONAL: '' },
  { COMMANDER: 'commander15', POSITIONAL: '1' },
] as const;

describe.concurrent.each(PROGRAMS)('$COMMANDER, positional options: "$POSITIONAL"', (env) => {
  let server: RawServer;
  let tools: ReadonlyMap<string, Record<string, any>>;

  beforeAll(async () => {
    server = await serve('structure.mjs', { env });
    tools = await list(server);
  });

  async function ran(tool: string, sent: object = {}) {
    const { text, isError } = await call(server, tool, sent);
    expect(isError, text).toBe(false);
    return JSON.parse(text);
  }

  const keysOf = (tool: string) => Object.keys(tools.get(tool)?.['inputSchema'].properties);

  test('one short flag on two levels: each value reaches its own option (F090)', async () => {
    const { own, all } = await ran('same', { file: 'a', format: 'json', profile: 'p', word: 'w' });
    expect(own).toEqual({ file: 'a' });
    expect(all).toMatchObject({ file: 'a', format: 'json', profile: 'p' });
    expect((await ran('same', { format: 'json' })).own).toEqual({});
  });

  test('one long flag on two levels: the command’s own', async () => {
    expect((await ran('same_long', { format: 'json' })).own).toEqual({ format: 'json' });
  });

  test.skipIf(env.POSITIONAL === '')(
    'options handed on: everything behind is the command’s (F091)',
    async () => {
      const rest = ['--own', 'x', '-p', '--', '--help', '-f', '--vers'];
      const { own, all, rest: found } = await ran('pass', { rest, own: 'o', profile: 'p', format: 'f' });
      expect(found).toEqual([rest]);
      expect(own).toEqual({ own: 'o' });
      expect(all).toMatchObject({ profile: 'p', format: 'f' });
    },
  );

  test('a default command runs by its own name only (F092)', async () => {
    expect(await ran('fallback', { word: 'other' })).toMatchObject({ path: 'fallback', rest: ['other'] });
    expect(await ran('other', { loud: true })).toMatchObject({ path: 'other' });
    expect(await ran('nested_usual', { word: 'seldom' })).toMatchObject({
      path: 'nested usual',
      rest: ['seldom'],
    });
    expect(await ran('nested_seldom', { word: 'usual' })).toMatchObject({
      path: 'nested seldom',
      rest: ['usual'],
    });
    expect(await call(server, 'othet')).toMatchObject({
      code: -32_602,
      text: expect.stringContaining('other'),
    });
  });

  test('a group that runs itself never runs a subcommand in its place', async () => {
    expect(await ran('group', { name: 'x', level: '2' })).toMatchObject({
      path: 'group',
      own: { level: '2' },
    });
    for (const name of ['leaf', 'blatt', 'deep', 'help']) {
      const { text, isError } = await call(server, 'group', { name });
      expect({ isError, text }).toMatchObject({
        isError: true,
        text: expect.stringContaining('name of a subcommand'),
      });
    }
    expect(await ran('group_leaf', { name: 'deep', list: ['a', '-l'], level: '3' })).toMatchObject({
      path: 'group leaf',
      rest: ['deep'],
      own: { list: ['a', '-l'] },
      all: { level: '3' },
    });
    expect((await ran('group_deep_deeper', { name: 'leaf', level: '9' })).rest).toEqual(['leaf']);
  });

  test('more arguments than are declared: refused, or a parameter of their own (F094)', async () => {
    for (const sent of [{ one: 'a', two: 'b' }, { one: ['a', 'b'] }, { one: 'a', args: ['b'] }]) {
      expect(await call(server, 'strict', sent)).toMatchObject({ isError: true });
      expect(await call(server, 'excess', sent)).toMatchObject({ isError: true });
    }
    expect(keysOf('open')).toContain('args');
    expect(await ran('open', { args: ['a', '-b', '--help', '--format'] })).toMatchObject({
      path: 'open',
      own: {},
    });
    expect(await ran('unknown', { known: 'k', args: ['--what', '--known'] })).toMatchObject({
      own: { known: 'k' },
    });
  });

  test('help and version options are nobody’s parameters, under whatever flags', async () => {
    for (const tool of tools.keys()) expect(keysOf(tool)).not.toContain('vers');
    for (const sent of [{ vers: true }, { help: true }, { '-V': true }, { '-h': true }, { '--help': true }]) {
      expect(await call(server, 'same', sent)).toMatchObject({ isError: true });
    }
    expect((await ran('version', { version: '9' })).own).toEqual({ version: '9' });
    expect((await ran('assist', { host: 'h' })).own).toEqual({ host: 'h' });
  });

  test('what is unmarked or hidden is out of reach (F096)', async () => {
    for (const name of ['completion', 'secret_ops', 'secret-ops', 'help', 'nested']) {
      expect(tools.has(name)).toBe(false);
      expect(await call(server, name)).toMatchObject({ code: -32_602 });
    }
    for (const tool of tools.keys()) expect(keysOf(tool)).not.toContain('internal');
    for (const sent of [{ internal: 'x' }, { '--internal': 'x' }]) {
      expect(await call(server, 'same', sent)).toMatchObject({ isError: true });
    }
  });
});

test('an option that the operator pinned can neither be seen nor sent (F096)', async () => {
  const server = await serve('structure.mjs', { settings: { pinnedValues: { tenant: 'pinned' } } });
  const same = (await list(server)).get('same');
  expect(Object.keys(same?.['inputSchema'].properties)).not.toContain('tenant');
  expect((await call(server, 'same')).text).toContain('"tenant":"pinned"');
  for (const sent of [{ tenant: 'x' }, { '--tenant': 'x' }]) {
    expect(await call(server, 'same', sent)).toMatchObject({ isError: true });
  }
});
