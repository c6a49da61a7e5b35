import { beforeAll, describe, expect, test } from 'vitest';

import type { RawServer } from '../wire/connect.js';
import { start } from '../start/start.js';
import { modernMeta } from '../wire/connect.js';
import { call, list, serve } from './kind-server.js';

/* K10: every key suits every client, and its value reaches the option that was meant. */

const KEY = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

let server: RawServer;
let tools: ReadonlyMap<string, Record<string, any>>;

beforeAll(async () => {
  server = await serve('odd-names.mjs');
  tools = await list(server);
});

const propertiesOf = (name: string): Record<string, any> => tools.get(name)?.['inputSchema'].properties;

test('keys are what clients take, and no two of them are one', () => {
  for (const name of tools.keys()) {
    const keys = Object.keys(propertiesOf(name));
    for (const key of keys) expect(key).toMatch(KEY);
    expect(new Set(keys.map((key) => key.toLowerCase())).size).toBe(keys.length);
  }
});

test('every odd option takes the value that was sent for it, and no other', async () => {
  const keys = Object.keys(propertiesOf('options')).filter((key) => key !== 'debug');
  const attributes = Object.keys(
    JSON.parse((await call(server, 'options', Object.fromEntries(keys.map((key) => [key, 'x'])))).text)[0],
  );
  expect(keys).toHaveLength(25);
  expect(attributes).toHaveLength(keys.length);
  for (const [index, key] of keys.entries()) {
    const { text } = await call(server, 'options', { [key]: `for ${key}` });
    expect(JSON.parse(text)).toEqual([{ [attributes[index]!]: `for ${key}` }, []]);
  }
});

test('the flag itself is understood, too', async () => {
  const { text } = await call(server, 'options', {
    '--filter[name]': 'a',
    名前: 'b',
    'foo:bar': 'c',
    '-x': 'd',
  });
  expect(JSON.parse(text)[0]).toEqual({ 'filter[name]': 'a', 名前: 'b', 'foo:bar': 'c', x: 'd' });
});

test('and so is commander’s own name, whatever clients make of it', async () => {
  const tooLong = 'aVeryLongNameOfAnOptionThatGoesOnAndOnUntilItIsLongerThan64Characters';
  const { text } = await call(server, 'options', { [tooLong]: 'a' });
  expect(JSON.parse(text)[0]).toEqual({ [tooLong]: 'a' });
});

test('arguments with names that are none reach their place', async () => {
  const keys = Object.keys(propertiesOf('arguments')).filter((key) => key !== 'debug');
  const sent = Object.fromEntries(keys.map((key, index) => [key, index === 4 ? ['4', '5'] : `${index}`]));
  // The order of keys says nothing (F073).
  const reversed = Object.fromEntries(Object.entries(sent).toReversed());
  const { text } = await call(server, 'arguments', reversed);
  expect(JSON.parse(text)[1]).toEqual(['0', '1', '2', '3', ['4', '5']]);
  expect(Object.keys(propertiesOf('foreign_arguments'))).toEqual(['arg1', 'arg2', 'arg3', 'debug']);
});

test('a made-up name gives way to a real one', async () => {
  const { text } = await call(server, 'made_up', { fooBar: 'real', fooBar2: 'made up', fooBar3: 'argument' });
  expect(JSON.parse(text)).toEqual([{ 'foo:bar': 'made up', fooBar: 'real' }, ['argument']]);
});

describe('a command’s own option keeps its name beside the parameters of mcpify (F063)', () => {
  test('each is reached by its own key', async () => {
    const sent = { debug: 'high', background: true, nocache: true, cache: false, session: 's', taskId: 't' };
    expect(JSON.parse((await call(server, 'own_controls', sent)).text)[0]).toEqual(sent);
    const own = Object.keys(propertiesOf('own_controls')).filter((key) => !(key in sent));
    expect(own).toEqual(['mcpDebug']);
    expect((await call(server, 'own_controls', { mcpDebug: true, debug: 'low' })).text).toContain(
      '"debug":"low"',
    );
  });

  test('also where only its negation is declared', async () => {
    expect(
      JSON.parse((await call(server, 'lone_negation', { debug: false, mcpDebug: true })).text)[0],
    ).toEqual({
      debug: false,
    });
  });

  test('and where both names are taken, that is told at start with the way out', async () => {
    const refused = start({
      module:
        "markers.exposeAsTool(program.command('x').option('--debug').option('--mcp-debug').action(() => {})); export { program };",
    });
    expect((await refused.exited).exitCode).toBe(1);
    expect(refused.stderr).toMatch(/"start x".*"debug".*"mcpDebug".*controlParams.*\(DUPLICATE_PROPERTY\)/);
  });
});

describe('what is no parameter is refused', () => {
  test.each([
    ['__proto__', JSON.parse('{"__proto__":"x"}')],
    ['the name of an excluded option', { hiddenOne: 'x' }],
    ['its flag', { '--hidden-one': 'x' }],
    ['a member of every object', { valueOf: 'x' }],
    ['another spelling', { apikey: 'x' }],
    ['the empty key', { '': 'x' }],
  ])('%s', async (_, sent) => {
    const { text, isError } = await call(server, 'secretive', sent);
    expect(isError).toBe(true);
    expect(text).toMatch(/^Unknown parameter .*Nothing was run\.$/);
  });
});

test('__proto__ is refused in every revision, and an argument of that name arrives', async () => {
  const program = {
    module: `
    const p = new Command('p');
    markers.exposeAsTool(p.command('none').action(() => {}));
    markers.exposeAsTool(p.command('one').argument('<__proto__>').action((value) => console.log(value)));
    export default p;`,
  };
  const old = start(program);
  await old.initialize();
  const modern = start(program);
  for (const [each, meta] of [
    [old, {}],
    [modern, { _meta: modernMeta() }],
  ] as const) {
    const ask = async (name: string) => {
      const params = { name, arguments: JSON.parse('{"__proto__":"x"}'), ...meta };
      return (await each.request('tools/call', params)).result;
    };
    expect(await ask('none')).toMatchObject({
      isError: true,
      content: [{ text: 'Unknown parameter "__proto__". Known: debug. Nothing was run.' }],
    });
    expect(await ask('one')).toMatchObject({ content: [{ text: 'x\n' }] });
  }
});
