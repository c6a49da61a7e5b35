import { homedir } from 'node:os';
import { join } from 'node:path';

import { describeOption, exposeAsTool } from '@mcpify/markers';
import { Command, Option } from 'commander';
import { expect, test } from 'vitest';

import { resolveSettings } from '../../../packages/mcpify/src/options/resolve-settings.js';
import { buildRegistry } from '../../../packages/mcpify/src/registry/build-registry.js';
import type { CommandNode } from '../../../packages/mcpify/src/schema/command-node.js';

/* Real programs are untidy, and none of this is an error (B3.7). */

function propertiesOf(declare: (command: Command) => unknown): Record<string, unknown> {
  const program = new Command('app');
  const command = program.command('run').action(() => {});
  declare(command);
  const node = exposeAsTool(command).parent as unknown as CommandNode;
  const settings = resolveSettings({ sessionCache: 'off', controlParams: { debug: false } }, node, undefined);
  return buildRegistry(node, node, settings).definitions[0]!.inputSchema.properties as never;
}

test.each<[string, (command: Command) => unknown, object]>([
  [
    'of two options with one attribute the visible one counts',
    (command) =>
      command.addOption(new Option('--forceIt', 'old').hideHelp()).option('--force-it <how>', 'in what way'),
    { forceIt: { type: 'string', description: 'in what way' } },
  ],
  [
    'a default that its own choices refuse is not told',
    (command) => command.addOption(new Option('--x <v>').choices(['a', 'b']).default('c')),
    { x: { type: 'string', enum: ['a', 'b'] } },
  ],
  [
    'nor is one that holds the working directory',
    (command) =>
      command.option('--x <path>', 'where', process.cwd()).option('--y <path>', '', `${process.cwd()}/y`),
    { x: { type: 'string', description: 'where' }, y: { type: 'string' } },
  ],
  [
    'nor is one that holds the home of the user, whose name others may begin with',
    (command) =>
      command
        .option('--x <path>', '', join(homedir(), '.cache', 'x'))
        .option('--y <path...>', '', [homedir()])
        .option('--z <path>', '', `${homedir()}fs`),
    {
      x: { type: 'string' },
      y: { type: 'array', items: { type: 'string' }, minItems: 1 },
      z: { type: 'string', default: `${homedir()}fs` },
    },
  ],
  [
    'values in a placeholder are a hint',
    (command) => command.option('--x <js|ts>', 'the language'),
    { x: { type: 'string', description: 'the language (js|ts)' } },
  ],
  [
    'dots repeat nothing but at the end',
    (command) => command.option('--x <a...b>').option('--y <a...>'),
    { x: { type: 'string' }, y: { type: 'array', items: { type: 'string' } } },
  ],
  [
    'accents are left out of names, and two that become one stay two',
    (command) =>
      command
        .option('--région <r>')
        .option('--île-de-fête')
        .argument('[straße]')
        .argument('[fete]')
        .option('--regïon'),
    {
      region: { type: 'string' },
      ileDeFete: { type: 'boolean' },
      region2: { type: 'boolean' },
      strasse: { type: 'string' },
      fete: { type: 'string' },
    },
  ],
  [
    'a name in other letters is told by the description',
    (command) => command.option('--名前 <v>', 'whom').option('--город <v>').argument('[名]'),
    {
      option: { type: 'string', description: 'whom (--名前)' },
      option2: { type: 'string', description: '--город' },
      arg1: { type: 'string', description: '名' },
    },
  ],
  [
    'a schema of the author’s has the default that commander has',
    (command) => {
      command.option('--x <n>', '', Number, 3).option('--y <n>', '', Number, 0);
      for (const flag of ['--x', '--y']) describeOption(command, flag, { schema: { minimum: 1 } });
    },
    { x: { type: 'number', minimum: 1, default: 3 }, y: { type: 'number', minimum: 1 } },
  ],
  [
    'an argument and an option that differ in case only both stay',
    (command) => command.argument('[FILE]').option('--file <path>'),
    { file: { type: 'string' }, FILE: { type: 'string' } },
  ],
])('%s', (_, declare, properties) => {
  expect(propertiesOf(declare)).toEqual(properties);
});
