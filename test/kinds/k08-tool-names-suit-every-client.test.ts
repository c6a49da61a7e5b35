import { exposeAsTool, McpTool } from '@mcpify/markers';
import { Command } from 'commander';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { resolveSettings } from '../../packages/mcpify/src/options/resolve-settings.js';
import { buildRegistry } from '../../packages/mcpify/src/registry/build-registry.js';
import type { CommandNode } from '../../packages/mcpify/src/schema/command-node.js';
import { start } from '../start/start.js';

/* K08: a client that takes the narrowest names takes ours; what cannot be named is told at start, all of it. */

/** What the strictest clients and models take. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

type Path = readonly [name: string, ...rest: string[]];

/** A program with a marked command at the end of each path. */
function programOf(...paths: readonly Path[]): Command {
  const program = new Command('program');
  for (const path of paths) {
    let command = program;
    for (const name of path) {
      command = command.commands.find((each) => each.name() === name) ?? command.command('new').name(name);
    }
    exposeAsTool(command.action(() => {}));
  }
  return program;
}

function registryOf(program: Command, name = 'server') {
  const node = program as unknown as CommandNode;
  return buildRegistry(node, node, resolveSettings({ name }, node));
}

const namesOf = (...paths: readonly Path[]) =>
  registryOf(programOf(...paths)).definitions.map((tool) => tool.name);

test('whatever commands are called: each is a tool with a name that suits, or is told', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'db:migrate',
      'a/b',
      '2fa',
      '-x',
      '...',
      '部署',
      '@',
      'über',
      'a b',
      '__proto__',
      'list',
      '',
    ),
    fc.string({ maxLength: 80 }),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 5 }), (paths) => {
      const program = programOf(...paths);
      let registry;
      try {
        registry = registryOf(program);
      } catch (error) {
        expect(error).toMatchObject({
          code: expect.stringMatching(/^(?:INVALID_TOOL_NAME|DUPLICATE_TOOL|NO_TOOLS|RESERVED_NAME)$/),
          message: expect.stringContaining('McpTool({ name'),
        });
        return;
      }
      const names = registry.definitions.map(({ name }) => name);
      for (const name of names) expect(name).toMatch(NAME);
      expect(new Set(names).size).toBe(names.length);
      const skipped = registry.warnings.filter((warning) => warning.includes('is skipped'));
      const commands = new Set(paths.map(([group, leaf]) => JSON.stringify([group, leaf])));
      expect(names.length + skipped.length).toBe(commands.size);
    }),
    { numRuns: 300 },
  );
});

test.each<[Path, string]>([
  [['db:migrate'], 'db_migrate'],
  [['cf.compile'], 'cf_compile'],
  [['a/b'], 'a_b'],
  [['über'], 'uber'],
  [['données', 'réplique'], 'donnees_replique'],
  [['straße'], 'strasse'],
  [['2fa'], '_2fa'],
  [['-x'], '_x'],
  [['a b'], 'a_b'],
  [['cf', 'compile'], 'cf_compile'],
  [['部署', 'now'], '___now'],
  [['__proto__'], '__proto__'],
  [['constructor'], 'constructor'],
  [['x'.repeat(64)], 'x'.repeat(64)],
])('%j is the tool %s', (path, name) => {
  expect(namesOf(path)).toEqual([name]);
});

describe('collisions', () => {
  test('all of them are told at once, before anything else is looked at', () => {
    const program = programOf(['a-b'], ['a_b'], ['c', 'd'], ['c.d'], ['a.b'], ['fine']);
    // A parameter that cannot be made: it would be told, too, once the names are right.
    const first = program.commands[0] as Command;
    first.option('--file <path>').argument('[file]');
    expect(() => registryOf(program)).toThrow(
      expect.objectContaining({
        code: 'DUPLICATE_TOOL',
        message: expect.stringMatching(
          /"program a-b" and "program a_b".*"program c d" and "program c\.d".*"program a-b" and "program a\.b"/,
        ),
      }),
    );
  });

  test('across depths, and with a name that was set', () => {
    expect(() => registryOf(programOf(['a', 'b_c'], ['a_b', 'c']))).toThrow(
      /"program a b_c" and "program a_b c"/,
    );
    const program = programOf(['one'], ['two']);
    McpTool({ name: 'one' })(program.commands[1] as Command);
    expect(() => registryOf(program)).toThrow(/"program one" and "program two"/);
  });

  test('names that differ in case only are two tools', () => {
    expect(namesOf(['List'], ['list'])).toEqual(['List', 'list']);
  });
});

describe('a name that was set is taken as it is, or refused', () => {
  test.each(['', ' ', 'a b', '1a', 'a-b', 'é', 'x'.repeat(65), 5 as unknown as string])('%j', (name) => {
    const program = programOf(['run']);
    McpTool({ name })(program.commands[0] as Command);
    expect(() => registryOf(program)).toThrow(expect.objectContaining({ code: 'INVALID_TOOL_NAME' }));
  });
});

test('a command without a usable name is left out and told; a program of nothing else does not start', async () => {
  const registry = registryOf(programOf(['...'], ['部署'], ['ok']));
  expect(registry.definitions.map(({ name }) => name)).toEqual(['ok']);
  expect(registry.warnings).toHaveLength(2);
  const server = start({
    module:
      "export const nameless = new Command('p'); markers.exposeAsTool(nameless.command('部署').action(() => {})); export { nameless as default };",
  });
  expect(await server.exited).toEqual({ exitCode: 1, signal: null });
  expect(server.stderr).toMatch(
    /^mcpify: There is no tool to serve\. Command "p 部署" is skipped.*\(NO_TOOLS\)\n$/,
  );
});

test('a name that the prefix of clients makes too long is told with its prefix and the way out (F041)', async () => {
  const server = start({
    settings: { name: 'a-server-of-20-chars' },
    module:
      "const p = new Command('p'); const group = p.command('project').command('environment').command('variable'); markers.exposeAsTool(group.command('create-from-template').action(() => {})); export default p;",
  });
  await server.initialize();
  const { result } = await server.request('tools/list');
  const name: string = result?.['tools'][0].name;
  expect(`mcp__a-server-of-20-chars__${name}`.length).toBeGreaterThan(64);
  expect(server.stderr).toContain(`Tool name "${name}" passes 64 characters`);
  expect(server.stderr).toContain('mcp__a-server-of-20-chars__');
  expect(server.stderr).toContain("McpTool({ name: '…' })");
});

test('the original path is kept for the call', async () => {
  const server = start({
    module:
      "const p = new Command('p'); for (const name of ['db:migrate', '2fa', 'über', 'a b']) markers.exposeAsTool(p.command('new').name(name).action((options, command) => console.log(command.name()))); export default p;",
  });
  await server.initialize();
  for (const [tool, command] of [
    ['db_migrate', 'db:migrate'],
    ['_2fa', '2fa'],
    ['uber', 'über'],
    ['a_b', 'a b'],
  ]) {
    const { result } = await server.request('tools/call', { name: tool });
    expect(result?.['content'][0].text).toBe(`${command}\n`);
  }
});
