import {
  describeOption,
  exposeAsTool,
  McpAdditive,
  McpConcurrent,
  McpDestructive,
  McpExitCodes,
  McpIdempotent,
  McpInputSchema,
  McpIsolated,
  McpLongRunning,
  McpOpenWorld,
  McpOutput,
  McpReadOnly,
  McpScope,
  McpTitle,
  McpTool,
  type Mark,
} from '@mcpify/markers';
import { Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';

import type { McpOptions } from '../../../packages/mcpify/src/options/mcp-options.js';
import { resolveSettings } from '../../../packages/mcpify/src/options/resolve-settings.js';
import { buildRegistry } from '../../../packages/mcpify/src/registry/build-registry.js';
import type { CommandNode } from '../../../packages/mcpify/src/schema/command-node.js';

function registryOf(program: Command, options: McpOptions = {}) {
  const node = program as unknown as CommandNode;
  return buildRegistry(node, node, resolveSettings(options, node, undefined));
}

function names(program: Command): string[] {
  return registryOf(program).definitions.map(({ name }) => name);
}

function add(parent: Command, name: string, ...marks: Mark[]): Command {
  const command = parent.command(name).action(() => {});
  return exposeAsTool(command, ...marks);
}

describe('names (decision 4)', () => {
  test('the whole path without the program, in the order of declaration', () => {
    const program = new Command('app');
    const group = program.command('cf');
    add(group, 'compile');
    add(program, 'style-check');
    add(group, 'compile:all');
    expect(names(program)).toEqual(['cf_compile', 'cf_compile_all', 'style_check']);
  });

  test('a program that is itself the command has its own name', () => {
    expect(names(exposeAsTool(new Command('my-tool').action(() => {})))).toEqual(['my_tool']);
  });

  test('no leading digit', () => {
    const program = new Command('app');
    add(program, '7zip');
    expect(names(program)).toEqual(['_7zip']);
  });

  test('a group with an action of its own is a tool, beside its subcommands', () => {
    const program = new Command('app');
    const group = add(program, 'remote');
    add(group, 'add');
    expect(names(program)).toEqual(['remote', 'remote_add']);
  });

  test('an alias makes no further tool', () => {
    const program = new Command('app');
    add(program, 'install').alias('i');
    expect(names(program)).toEqual(['install']);
  });

  test('unmarked commands, help and version are no tools', () => {
    const program = new Command('app').version('1.0.0').helpCommand(true);
    program.command('plain').action(() => {});
    add(program, 'marked');
    expect(names(program)).toEqual(['marked']);
  });

  test('a command whose name has nothing usable left is skipped with a warning (B3.7)', () => {
    const program = new Command('app');
    add(program, '???');
    add(program, 'ok');
    const registry = registryOf(program);
    expect(registry.definitions.map(({ name }) => name)).toEqual(['ok']);
    expect(registry.warnings).toEqual([expect.stringMatching(/"app \?\?\?" is skipped.*McpTool\(\{ name/)]);
  });
});

describe('annotations (B2.3)', () => {
  test.each<[string, Mark[], string]>([
    ['unmarked: the cautious default', [], 'write destructive'],
    ['read-only', [McpReadOnly], 'read'],
    ['destructive', [McpDestructive], 'write destructive'],
    ['additive', [McpAdditive], 'write'],
    ['idempotent', [McpAdditive, McpIdempotent], 'write idempotent'],
    ['open world', [McpReadOnly, McpOpenWorld], 'read open'],
  ])('%s', (_case, marks, wanted) => {
    const program = new Command('app');
    add(program, 'run', ...marks);
    expect(registryOf(program).definitions[0]?.annotations).toEqual({
      readOnlyHint: wanted.includes('read'),
      destructiveHint: wanted.includes('destructive'),
      idempotentHint: wanted.includes('idempotent'),
      openWorldHint: wanted.includes('open'),
    });
  });

  test('a title is sent in both places (P31)', () => {
    const program = new Command('app');
    add(program, 'run', McpTitle('Run it'));
    const [definition] = registryOf(program).definitions;
    expect(definition?.title).toBe('Run it');
    expect(definition?.annotations.title).toBe('Run it');
  });
});

describe('descriptions (B2.4)', () => {
  test.each<[string, (command: Command) => unknown, string]>([
    ['the description', (command) => command.description('Long.').summary('Short.'), 'Long.'],
    ['else the summary', (command) => command.summary('Short.'), 'Short.'],
    ['else what it runs', () => {}, 'Runs "app run".'],
    ['without colours', (command) => command.description('\u001b[31mRed\u001b[39m'), 'Red'],
    [
      'the mark before all',
      (command) => McpTool({ description: 'Marked.' })(command.description('Long.')),
      'Marked.',
    ],
  ])('%s', (_case, declare, wanted) => {
    const program = new Command('app');
    declare(add(program, 'run'));
    expect(registryOf(program).definitions[0]?.description).toBe(wanted);
  });
});

test('a flag that is true without a word is asked of no call, mandatory or not', () => {
  const program = new Command('app');
  add(program, 'copy').requiredOption('--no-verify').requiredOption('--fast');
  const { required, properties } = registryOf(program).definitions[0]!.inputSchema;
  expect(required).toEqual(['fast']);
  expect(properties).toMatchObject({ verify: { default: true } });
});

test('what the parameters and tools of the framework do is said once, in few words (B2.4)', () => {
  const program = new Command('app');
  add(program, 'copy').requiredOption('--to <place>', 'where it goes');
  add(program, 'build', McpLongRunning);
  const { definitions } = registryOf(program, { cliEntry: import.meta.filename });
  const [copy, build] = definitions;
  const show = definitions.find(({ name }) => name === 'cache_show');
  expect(copy?.inputSchema.properties).toEqual({
    to: { type: 'string', description: 'where it goes (required, unless the session has it)' },
    debug: { type: 'boolean' },
    nocache: { type: 'boolean' },
    session: { type: 'string', description: '"new" or its handle' },
  });
  expect(build?.inputSchema.properties?.['background']).toEqual({
    type: 'boolean',
    default: true,
    description: 'false: wait for the end',
  });
  expect(build?.description).toBe('Runs "app build".\nRuns in the background: returns a taskId at once.');
  expect(show?.description).toContain('later calls of any tool use for an option of that name');
  expect(show?.description).toContain('unless they give it or set nocache');
});

describe('usage errors at start name the command and the way out', () => {
  test.each<[code: string, declare: (program: Command) => unknown, message: RegExp]>([
    [
      'NO_TOOLS',
      (program) => program.command('run').action(() => {}),
      /No command of "app" is marked.*exposeAsTool/,
    ],
    ['NO_TOOLS', (program) => McpReadOnly(program.command('run')), /"app run" has marks but not McpTool/],
    [
      'MARK_ON_GROUP',
      (program) => exposeAsTool(program.command('cf')).command('compile'),
      /"app cf".*no action.*Mark its subcommands/,
    ],
    [
      // `.command(name, description)` returns the program.
      'MARK_ON_GROUP',
      (program) => exposeAsTool(program.command('run', 'runs')),
      /"app".*return the parent/,
    ],
    [
      'INVALID_TOOL_NAME',
      (program) => add(program, 'run', McpTool({ name: 'a b' })),
      /"app run".*"a b".*McpTool/,
    ],
    ['INVALID_TOOL_NAME', (program) => add(program, 'x'.repeat(65)), /1 to 64/],
    [
      'DUPLICATE_TOOL',
      (program) => {
        add(program, 'a-b');
        add(program, 'a_b');
      },
      /"app a-b" and "app a_b".*"a_b".*McpTool\(\{ name/,
    ],
    ['RESERVED_NAME', (program) => add(program, 'task_status'), /"app task_status".*McpTool\(\{ name/],
    ['RESERVED_NAME', (program) => add(program, 'run', McpTool({ name: 'cache_clear' })), /"app run"/],
    [
      'CONTRADICTORY_MARKS',
      (program) => add(program, 'run', McpReadOnly, McpDestructive),
      /"app run" is marked McpReadOnly and McpDestructive/,
    ],
    ['CONTRADICTORY_MARKS', (program) => add(program, 'run', McpAdditive, McpDestructive), /Remove one/],
    ['CONTRADICTORY_MARKS', (program) => add(program, 'run', McpConcurrent, McpIsolated), /McpIsolated/],
    [
      'INVALID_SETTING',
      (program) => add(program, 'run', McpLongRunning({ timeoutMs: 0 })),
      /McpLongRunning\(\{ timeoutMs \}\).*"app run"/,
    ],
    [
      'INVALID_SETTING',
      (program) => add(program, 'run', McpLongRunning({ leftovers: 'drop' as 'keep' })),
      /'kill' or 'keep'/,
    ],
    ['INVALID_SETTING', (program) => add(program, 'run', McpExitCodes([1.5])), /McpExitCodes.*"app run"/],
    [
      'INVALID_SETTING',
      (program) => add(program, 'run', McpExitCodes(3 as never)),
      /McpExitCodes.*"app run"/,
    ],
    ['INVALID_SETTING', (program) => add(program, 'run', McpTitle('  ')), /McpTitle.*"app run"/],
    ['INVALID_SETTING', (program) => add(program, 'run', McpInputSchema({})), /McpInputSchema.*"app run"/],
    [
      'DUPLICATE_PROPERTY',
      (program) => add(program, 'run').option('--file <a>').argument('[file]'),
      /"app run".*--file.*"file"/,
    ],
  ])('%s', (code, declare, message) => {
    const program = new Command('app');
    declare(program);
    expect(() => registryOf(program)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  test('UNSUPPORTED_COMMANDER', () => {
    const old = { commands: [], options: [], parent: null, name: () => 'app' } as unknown as CommandNode;
    expect(() => buildRegistry(old, old, resolveSettings({}, old, undefined))).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED_COMMANDER',
        message: expect.stringMatching(/12, 13, 14 or 15/),
      }),
    );
  });
});

describe('values of the operator', () => {
  function program(): Command {
    const app = new Command('app');
    add(app, 'run').option('--region <name>').requiredOption('--token <text>');
    return app;
  }

  test('pinned ones are not in the schema', () => {
    const [definition] = registryOf(program(), { pinnedValues: { token: 'x' } }).definitions;
    expect(Object.keys(definition?.inputSchema.properties ?? {})).toEqual([
      'region',
      'debug',
      'nocache',
      'session',
    ]);
    expect(definition?.inputSchema.required).toBeUndefined();
  });

  test('one with a default is not required', () => {
    const [definition] = registryOf(program(), { defaultValues: { token: 'x' } }).definitions;
    expect(definition?.inputSchema.required).toBeUndefined();
    expect(JSON.stringify(definition)).not.toContain('"x"');
  });

  test.each(['pinnedValues', 'defaultValues'] as const)('a misspelt name in %s is told', (setting) => {
    expect(() => registryOf(program(), { [setting]: { regoin: 'eu' } })).toThrow(
      expect.objectContaining({ code: 'INVALID_SETTING', message: expect.stringMatching(/regoin.*region/) }),
    );
  });
});

describe('values of the operator that no call could mend', () => {
  const program = () => {
    const app = new Command('app');
    add(app, 'run')
      .addOption(new Option('--format <f>').choices(['pdf', 'html']))
      .option('--retries <n>', '', Number, 1)
      .option('--tags <tag...>')
      .option('--api-token <text>')
      .argument('[file]');
    return app;
  };
  const SETTINGS = ['pinnedValues', 'defaultValues'] as const;

  test.each([
    ['format', 'docx', /format is "docx", but it must be one of "pdf", "html" for command "app run"/],
    ['retries', 'often', /retries is "often", but it must be a number/],
    ['tags', { a: 1 }, /tags is .* must be an array/],
    ['file', 5, /file is 5, but it must be a text/],
  ])('%s: %j', (property, value, message) => {
    for (const setting of SETTINGS) {
      expect(() => registryOf(program(), { [setting]: { [property]: value } })).toThrow(
        expect.objectContaining({ code: 'INVALID_SETTING', message: expect.stringMatching(message) }),
      );
    }
  });

  test('one that fits one of the tools that share its name', () => {
    const app = program();
    add(app, 'other').option('--format <n>', '', Number);
    for (const setting of SETTINGS) {
      expect(registryOf(app, { [setting]: { format: 3 } }).warnings).toEqual([]);
      expect(registryOf(app, { [setting]: { format: 'pdf' } }).warnings).toEqual([]);
      expect(() => registryOf(app, { [setting]: { format: 'docx' } })).toThrow(/format is "docx"/);
    }
  });

  test('that of a secret is not repeated', () => {
    expect(() => registryOf(program(), { pinnedValues: { apiToken: ['s3cret', 's3cret'] } })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('s3cret') }),
    );
  });

  test('what a call would be read as does for the operator, too', () => {
    const values = { format: 'pdf', retries: '3', tags: 'one', file: null, apiToken: undefined };
    for (const setting of SETTINGS) expect(registryOf(program(), { [setting]: values }).warnings).toEqual([]);
  });

  test.each([{ debug: 'same', nocache: 'same' }, { session: 'debug' }])(
    'two control parameters of one name: %j',
    (controlParams) => {
      expect(() => registryOf(program(), { controlParams })).toThrow(
        expect.objectContaining({ code: 'INVALID_SETTING', message: expect.stringMatching(/same name/) }),
      );
    },
  );
});

describe('warnings', () => {
  test('more tools than some clients take', () => {
    const app = new Command('app');
    for (let index = 0; index < 41; index += 1) add(app, `run${index}`);
    expect(registryOf(app).warnings).toEqual([expect.stringMatching(/^41 tools/)]);
  });

  test('a name that passes 64 characters with the prefix of clients', () => {
    const app = new Command('app');
    add(app, 'x'.repeat(60));
    expect(registryOf(app, { name: 'server' }).warnings).toEqual([
      expect.stringMatching(/"x{60}".*mcp__server__/),
    ]);
  });

  test('a description that is too long for clients', () => {
    const app = new Command('app');
    add(app, 'fits').description('x'.repeat(1_024));
    add(app, 'long').description('x'.repeat(1_025));
    expect(registryOf(app).warnings).toEqual([expect.stringMatching(/^Description of tool "long" is cut/)]);
  });

  test('what a command requires and no call can set', () => {
    const app = new Command('app').addOption(
      new Option('--site <s>').makeOptionMandatory().hideHelp(),
    ) as Command;
    const one = add(app, 'one')
      .requiredOption('--pin <p>')
      .requiredOption('--no-x')
      .requiredOption('--y <y>', '', '1');
    describeOption(one, '--pin', { exclude: true });
    describeOption(one, '--y', { exclude: true });
    add(app, 'two', McpInputSchema({ type: 'object', properties: {} }))
      .argument('<file>')
      .argument('[more]');
    add(app, 'three').addOption(new Option('--key <k>').env('APP_KEY').makeOptionMandatory().hideHelp());
    expect(registryOf(app).warnings).toEqual([
      expect.stringMatching(/^Command "app one" \(and 2 more\) requires "--site <s>", which no call can set/),
      expect.stringMatching(/^Command "app one" requires "--pin <p>"/),
      expect.stringMatching(/^Command "app two" requires "<file>"/),
    ]);
  });

  test('marks without effect name command and mark, once', () => {
    const app = new Command('app');
    add(app, 'wait', McpLongRunning({ taskSupport: 'optional' }), McpOutput({ type: 'object' }));
    add(app, 'fine', McpOutput({ type: 'object' }), McpTitle('Fine'));
    const entry = () => '/main.js';
    const node = app as unknown as CommandNode;
    expect(buildRegistry(node, node, resolveSettings({}, node, undefined), entry).warnings).toEqual([
      expect.stringMatching(/^Command "app wait": McpOutput has no effect beside McpLongRunning/),
    ]);
  });
});

test('the nearest names are offered for one that is unknown', () => {
  const app = new Command('app');
  add(app, 'compile');
  add(app, 'deploy');
  expect(registryOf(app).nearest('complie')).toEqual(['compile']);
});

test('a number that is the default of choices is told, since choices are texts', () => {
  const app = new Command('app');
  add(app, 'run')
    .addOption(new Option('--level <n>').choices(['1', '2']).default(1))
    .addOption(new Option('--token <n>').choices(['1', '2']).default(2))
    .addOption(new Option('--days <n>').choices(['7', '14']).default(7, 'one week'))
    .argument('[count]', '', Number, 3);
  const [{ description, inputSchema }] = registryOf(app).definitions as [any];
  expect(description).toBe('Runs "app run".\nDefault of level: 1.\nDefault of days: one week.');
  expect(inputSchema.properties.level).toEqual({ type: 'string', enum: ['1', '2'] });
  expect(inputSchema.properties.count.default).toBe(3);
});

test.each(['a b', '', 'a"b', 'a\\b', 'é', 5 as unknown as string])(
  'the scope %j is none, or more than one',
  (scope) => {
    const app = new Command('app');
    add(app, 'run', McpScope(scope));
    expect(() => registryOf(app)).toThrow(
      expect.objectContaining({
        code: 'INVALID_SETTING',
        message: expect.stringContaining('McpScope of command "app run" must be one OAuth scope'),
      }),
    );
  },
);

test('a described secret shows neither default nor value', () => {
  const app = new Command('app');
  describeOption(add(app, 'run').option('--pin <text>', 'to sign in', 's3cret'), '--pin', { secret: true });
  expect(JSON.stringify(registryOf(app).definitions)).not.toContain('s3cret');
});

describe('properties', () => {
  const propertiesOf = (program: Command) =>
    registryOf(program).definitions.map(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));

  test('an argument may have the name of what every object has', () => {
    const app = new Command('app');
    add(app, 'run').argument('<__proto__>').argument('[constructor]').allowExcessArguments(false);
    expect(propertiesOf(app)).toEqual([['__proto__', 'constructor', 'debug']]);
  });

  test('an option whose flag the program takes for its version has no property', () => {
    const app = new Command('app').version('1.0.0', '-v, --version');
    add(app, 'run').option('-v').option('--loud').allowExcessArguments(false);
    expect(propertiesOf(app)).toEqual([['loud', 'debug']]);
  });

  test('a parameter of the framework gives way in that tool alone', () => {
    const app = new Command('app');
    for (const name of ['first', 'second', 'third']) add(app, name).allowExcessArguments(false);
    app.commands[1]?.option('--debug').option('--nocache').option('--name <text>');
    expect(propertiesOf(app).slice(0, 3)).toEqual([
      ['debug'],
      ['debug', 'nocache', 'name', 'mcpDebug', 'mcpNocache', 'session'],
      ['debug'],
    ]);
  });
});
