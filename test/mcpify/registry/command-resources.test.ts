import {
  describeOption,
  exposeAsTool,
  McpDestructive,
  McpInputSchema,
  McpLongRunning,
  McpReadOnly,
  McpResource,
  type Mark,
} from '@mcpify/markers';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';

import type { McpOptions } from '../../../packages/mcpify/src/options/mcp-options.js';
import { resolveSettings } from '../../../packages/mcpify/src/options/resolve-settings.js';
import { buildRegistry } from '../../../packages/mcpify/src/registry/build-registry.js';
import type { CommandNode } from '../../../packages/mcpify/src/schema/command-node.js';

function registryOf(program: Command, options: McpOptions = {}) {
  const node = program as unknown as CommandNode;
  return buildRegistry(node, node, resolveSettings(options, node, undefined), () => '/main.js');
}

function notes(): Command {
  return new Command('notes').exitOverride();
}

function show(app: Command, uriTemplate: string, ...marks: Mark[]): Command {
  const command = app
    .command(`show${app.commands.length}`)
    .argument('[name]')
    .argument('[file-name]')
    .option('--limit <n>')
    .option('--token <t>')
    .action(() => {});
  return exposeAsTool(command, McpReadOnly, McpResource({ uriTemplate }), ...marks);
}

describe('templates that are taken', () => {
  test.each([
    ['notes://all', [], []],
    ['notes:all', [], []],
    ['https://notes.example:8080/~me/all?sort=new&x', [], []],
    ['notes://{name}', ['name'], []],
    ['notes://{+name}', ['name'], []],
    ['notes://v-{name}.txt', ['name'], []],
    ['notes://{fileName}', ['fileName'], []],
    ['notes://{limit}/of/{name}', ['limit', 'name'], []],
    ['notes://{+name}/{limit}', ['name', 'limit'], []],
    ['notes://all{?limit,name}', [], ['limit', 'name']],
    ['x+y-z.1:{name}{?limit}', ['name'], ['limit']],
    ['notes://%20/{name}', ['name'], []],
  ])('%s', (uriTemplate, variables, queryVariables) => {
    const app = notes();
    show(app, uriTemplate);
    const { resources } = registryOf(app);
    expect(resources).toMatchObject([{ template: { text: uriTemplate, variables, queryVariables } }]);
  });
});

describe('templates that are refused', () => {
  test.each([
    ['', /begin with a scheme/],
    ['notes', /begin with a scheme/],
    ['{name}', /begin with a scheme/],
    ['{name}://x', /begin with a scheme/],
    ['notes:', /begin with a scheme/],
    ['mcpify://notes/{name}', /another scheme than mcpify:/],
    ['MCPIFY://tasks/{name}/log', /another scheme than mcpify:/],
    ['notes://{name', /close every \{/],
    ['notes://name}', /close every \{/],
    ['notes://{{name}}', /close every \{/],
    ['notes://a b', /characters of a URI.*%20/],
    ['notes://ä/{name}', /characters of a URI/],
    ['notes://%2/{name}', /characters of a URI/],
    ['notes://{name}#top', /characters of a URI.*without a fragment/],
    ['notes://{name}?limit={limit}', /query as variables at the end/],
    ['notes://all?x=1{?limit}', /query as variables at the end/],
    ['notes://{?limit}/x', /not "\?limit"/],
    ['notes://{#name}', /not "#name"/],
    ['notes://{/name}', /not "\/name"/],
    ['notes://{name*}', /not "name\*"/],
    ['notes://{name:3}', /not "name:3"/],
    ['notes://{name,limit}', /not "name,limit"/],
    ['notes://{}', /not ""/],
    ['notes://{file-name}', /not "file-name"/],
    ['notes://x{?}', /not ""/],
    ['notes://{name}/{name}', /"name" is there twice/],
    ['notes://{name}{?name}', /"name" is there twice/],
    ['notes://{name}{limit}', /a "\/" between two variables/],
    ['notes://{name}-{limit}', /a "\/" between two variables/],
    ['notes://{+name}/{+limit}', /one variable with "\+" at most/],
    ['notes://{nme}', /"nme" is none\. It has: limit, name, fileName/],
    ['notes://{debug}', /"debug" is none/],
    ['notes://{session}', /"session" is none/],
    ['notes://{token}', /leave out "token", which is a secret/],
  ])('%s', (uriTemplate, message) => {
    const app = notes();
    show(app, uriTemplate);
    expect(() => registryOf(app)).toThrow(
      expect.objectContaining({ code: 'INVALID_SETTING', message: expect.stringMatching(message) }),
    );
    expect(() => registryOf(app)).toThrow(/^McpResource\(.*command "notes show0" must/);
  });

  test('one that is no text, and media types that are none', () => {
    for (const resource of [{}, { uriTemplate: 5 }, { uriTemplate: 'notes://x', mimeType: 'text' }]) {
      const app = notes();
      show(app, '', McpResource(resource as never));
      expect(() => registryOf(app)).toThrow(/McpResource\(\{ (uriTemplate|mimeType) \}\).*must be/);
    }
  });

  test('what the command needs must be a variable', () => {
    const app = notes();
    show(app, 'notes://{name}').requiredOption('--region <r>');
    expect(() => registryOf(app)).toThrow(/must have a variable for "region"/);
    expect(registryOf(app, { defaultValues: { region: 'eu' } }).resources).toHaveLength(1);
    expect(registryOf(app, { pinnedValues: { region: 'eu' } }).resources).toHaveLength(1);
  });

  test('what an author’s own schema needs must be a variable as well', () => {
    const app = notes();
    const schema = { type: 'object', properties: { limit: { type: 'string' } }, required: ['limit'] };
    show(app, 'notes://all', McpInputSchema(schema));
    expect(() => registryOf(app)).toThrow(/must have a variable for "limit"/);
  });

  test('a value that the operator fixed is no variable', () => {
    const app = notes();
    show(app, 'notes://{name}');
    expect(() => registryOf(app, { pinnedValues: { name: 'x' } })).toThrow(/leave out "name".*pinnedValues/);
  });

  test('an option that is called like a secret, and is none', () => {
    const app = notes();
    describeOption(show(app, 'notes://{token}'), '--token', { secret: false });
    expect(registryOf(app).resources).toHaveLength(1);
  });
});

describe('two commands', () => {
  test.each([
    ['notes://all', 'notes://all'],
    ['notes://{name}', 'notes://{limit}'],
    ['notes://x/{name}', 'NOTES://x/{name}{?limit}'],
    ['notes://all', 'notes://all{?limit}'],
  ])('of the same uris: %s and %s', (first, second) => {
    const app = notes();
    show(app, first);
    show(app, second);
    expect(() => registryOf(app)).toThrow(
      expect.objectContaining({
        code: 'INVALID_SETTING',
        message: expect.stringMatching(/"show0" and "show1" are resources of the same uris/),
      }),
    );
  });

  test('of uris that overlap', () => {
    const app = notes();
    show(app, 'notes://all');
    show(app, 'notes://{name}');
    show(app, 'notes://{+name}');
    expect(registryOf(app).resources).toHaveLength(3);
  });
});

describe('marks', () => {
  test('a resource only reads', () => {
    for (const marks of [[], [McpDestructive]]) {
      const app = notes();
      exposeAsTool(
        app.command('wipe').action(() => {}),
        McpResource({ uriTemplate: 'notes://x' }),
        ...marks,
      );
      expect(() => registryOf(app)).toThrow(
        expect.objectContaining({
          code: 'CONTRADICTORY_MARKS',
          message: expect.stringMatching(/"notes wipe" is marked McpResource but not McpReadOnly.*Mark it/),
        }),
      );
    }
  });

  test('a task is no resource', () => {
    const app = notes();
    show(app, 'notes://all', McpLongRunning);
    expect(() => registryOf(app)).toThrow(
      expect.objectContaining({
        code: 'CONTRADICTORY_MARKS',
        message: expect.stringMatching(/McpResource and McpLongRunning/),
      }),
    );
  });
});
