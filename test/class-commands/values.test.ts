import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type * as classCommands from '@mcpify/class-commands';
import {
  addCommands,
  CliArgument,
  CliCommand,
  CliOption,
  CliOptions,
  configureCommand,
  defineFields,
} from '@mcpify/class-commands';
import { descriptionOf, marksOf, McpIsolated, McpReadOnly, McpTool } from '@mcpify/markers';
import { Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';

import { compile, DEPOT } from './compile.js';
import type * as depotTypes from './fixtures/depot.js';
import { parse } from './parse.js';

describe('types that the compiler emits', () => {
  class Fields {
    @CliArgument('<text>') text!: string;
    @CliArgument('[count]') count?: number;
    @CliOption('--amount <n>') amount!: number;
    @CliOption('--day <date>') day?: Date;
    @CliOption('--is <boolean>') is?: boolean;
    run(): this {
      return this;
    }
  }

  test('are those of the values', async () => {
    const given = await parse(Fields, 'a', '1', '--amount', '2', '--day', '2026-01-31', '--is', 'false');
    expect(given).toEqual({ text: 'a', count: 1, amount: 2, day: new Date('2026-01-31'), is: false });
  });

  test('are told to tools', () => {
    const command = configureCommand(new Command('test'), Fields);
    const types = [...command.registeredArguments, ...command.options].map(
      (node) => descriptionOf(node)?.type,
    );
    expect(types).toEqual([undefined, 'number', 'number', 'date', 'boolean']);
  });

  test('refuse what is none of theirs', async () => {
    await expect(parse(Fields, 'a', 'many')).rejects.toThrow(
      /'many' is invalid for argument 'count'. It must be a number/,
    );
    await expect(parse(Fields, 'a', '--is', 'maybe')).rejects.toThrow(/It must be true or false/);
  });
});

test('the type of an initial value', async () => {
  class Fields {
    amount = 1;
    name = 'a';
    day = new Date('2026-01-31');
    run(): this {
      return this;
    }
  }
  defineFields(Fields, {
    amount: CliOption('--amount <n>'),
    name: CliOption('--name <text>'),
    day: CliOption('--day <date>', '', { defaultText: 'today' }),
  });
  expect(await parse(Fields)).toEqual({ amount: 1, name: 'a', day: new Date('2026-01-31') });
  expect(await parse(Fields, '--amount', '2', '--name', '3', '--day', '2026-02-01')).toEqual({
    amount: 2,
    name: '3',
    day: new Date('2026-02-01'),
  });
  expect(configureCommand(new Command('test'), Fields).helpInformation()).toContain('(default: today)');
});

test('a null of JSON, and of a parser of the author’s', async () => {
  class Fields {
    @CliArgument('[first]', '', { type: 'json' }) first: unknown = 1;
    @CliOption('--json <text>', '', { type: 'json' }) json: unknown = 2;
    @CliOption('--optional [text]', '', { type: 'json' }) optional?: unknown;
    @CliOption('--list <text...>', '', { type: 'json' }) list: unknown[] = [];
    @CliOption('--until <day>', '', { parse: (text) => (text === 'never' ? null : new Date(text)) })
    until: Date | null = new Date(0);
    run(command: Command): object {
      return { ...this, opts: command.opts() };
    }
  }
  const values = { json: null, optional: null, list: [null, 0], until: null };
  const argv = [
    '--json',
    'null',
    '--optional',
    'null',
    '--list',
    'null',
    '0',
    '--until',
    'never',
    '--',
    'null',
  ];
  expect(await parse(Fields, ...argv)).toEqual({ first: null, ...values, opts: values });
});

test('three states of a flag', async () => {
  class Fields {
    @CliOption('--color', '', { negatable: true }) color?: boolean;
    @CliOption('--sound', '', { negatable: true }) sound = true;
    @CliOption('--no-wait') wait!: boolean;
    run(): this {
      return this;
    }
  }
  expect(await parse(Fields)).toEqual({ color: undefined, sound: true, wait: true });
  expect(await parse(Fields, '--color', '--sound')).toEqual({ color: true, sound: true, wait: true });
  expect(await parse(Fields, '--no-color', '--no-sound', '--no-wait')).toEqual({
    color: false,
    sound: false,
    wait: false,
  });
});

test("commander's own words for the rest", async () => {
  class Fields {
    @CliOption('--name <text>', '', { required: true }) name!: string;
    @CliOption('--quiet', '', { conflicts: 'loud' }) quiet = false;
    @CliOption('--loud') loud = false;
    @CliOption('--trace', '', { hidden: true, configure: (option) => option.implies({ loud: true }) }) trace =
      false;
    run(): this {
      return this;
    }
  }
  await expect(parse(Fields)).rejects.toThrow(/required option '--name <text>' not specified/);
  await expect(parse(Fields, '--name', 'a', '--quiet', '--loud')).rejects.toThrow(/cannot be used with/);
  expect(await parse(Fields, '--name', 'a', '--trace')).toEqual({
    name: 'a',
    quiet: false,
    loud: true,
    trace: true,
  });
  expect(configureCommand(new Command('test'), Fields).helpInformation()).not.toContain('--trace');
});

test('an enum of const, an enum with a list of its members', async () => {
  const Shape = { Round: 'round', Flat: 'flat' } as const;
  enum Level {
    Low,
    High,
  }
  class Fields {
    @CliArgument('[shapes...]', '', { choices: Shape }) shapes: Array<'round' | 'flat'> = ['flat'];
    @CliOption('--levels <level,level>', '', { choices: Level, separator: ',' }) levels: Level[] = [
      Level.High,
    ];
    run(): this {
      return this;
    }
  }
  expect(await parse(Fields)).toEqual({ shapes: ['flat'], levels: [1] });
  expect(await parse(Fields, 'round', 'flat', '--levels', 'Low,High')).toEqual({
    shapes: ['round', 'flat'],
    levels: [0, 1],
  });
  await expect(parse(Fields, 'square')).rejects.toThrow(/Allowed choices are round, flat/);
  await expect(parse(Fields, '--levels', 'Low,Middle')).rejects.toThrow(/Allowed choices are Low, High/);
  expect(configureCommand(new Command('test'), Fields).helpInformation()).toContain('default: ["High"]');
});

describe('option sets', () => {
  class Inner {
    @CliOption('--inner <text>') inner = 'inner';
  }
  class Outer {
    @CliOption('--outer <text>') outer = 'outer';
    @CliOptions(Inner) inner!: Inner;
  }

  test('in sets, and with initial values of the command', async () => {
    class Fields {
      @CliOptions(Outer) set: Outer = Object.assign(new Outer(), { outer: 'own', inner: new Inner() });
      run(): this {
        return this;
      }
    }
    const given = (await parse(Fields, '--inner', 'given')) as Fields;
    expect(given.set).toEqual({ outer: 'own', inner: { inner: 'given' } });
    expect(given.set).toBeInstanceOf(Outer);
    expect(given.set.inner).toBeInstanceOf(Inner);
    expect(configureCommand(new Command('test'), Fields).helpInformation()).toContain('(default: "own")');
  });

  test('as base classes; a field that is declared anew replaces the inherited one', async () => {
    class Fields extends Outer {
      @CliOption('--outer <number>') override outer: any = 1;
      run(): this {
        return this;
      }
    }
    expect(await parse(Fields, '--outer', '2')).toEqual({ outer: 2, inner: { inner: 'inner' } });
    expect(configureCommand(new Command('test'), Fields).options.map(({ flags }) => flags)).toEqual([
      '--outer <number>',
      '--inner <text>',
    ]);
    expect(await parse(class extends Outer { run = undefined; }, '--outer', '2').catch(String)).toBeUndefined(); // prettier-ignore
  });
});

test('a secret is no default of the help, and known to tools', () => {
  class Fields {
    @CliOption('--pin <digits>', '', { secret: true, cache: false }) pin = '0000';
    @CliOption('--trace', '', { exclude: true }) trace = false;
    run(): void {}
  }
  const command = configureCommand(new Command('test'), Fields);
  expect(command.helpInformation()).not.toContain('0000');
  expect(command.options.map((option) => descriptionOf(option))).toEqual([
    { secret: true, cache: false },
    { exclude: true },
  ]);
});

describe('instances', () => {
  test('are new in each call, made by what the caller brings, also when it takes time', async () => {
    const made: unknown[] = [];
    class Fields {
      @CliOption('--text <text>') text = 'a';
      constructor(readonly service: string = 'none') {}
      run(): this {
        return this;
      }
    }
    const program = configureCommand(new Command('test'), Fields, {
      create: async (commandClass) => {
        await Promise.resolve();
        const instance = new commandClass(`service ${made.length}`);
        made.push(instance);
        return instance;
      },
    });
    expect(made).toEqual([]);
    await program.parseAsync(['--text', 'b'], { from: 'user' });
    await program.parseAsync([], { from: 'user' });
    expect(made).toEqual([
      { service: 'service 0', text: 'b' },
      { service: 'service 1', text: 'a' },
    ]);
  });

  test('may have their action as a field', async () => {
    class Fields {
      run = (): string => 'done';
    }
    expect(await parse(Fields)).toBe('done');
  });

  test('have one action, run; hooks of commander stand around it', async () => {
    const order: string[] = [];
    class Fields {
      run(): void {
        order.push('run');
      }
      execute(): void {
        order.push('execute');
      }
    }
    const command = configureCommand(new Command('test'), Fields)
      .hook('preAction', () => void order.push('before'))
      .hook('postAction', () => void order.push('after'));
    await parse(command);
    expect(order).toEqual(['before', 'run', 'after']);
  });

  test('a command that waits for nothing is done when parse() returns', () => {
    let isDone = false;
    class Fields {
      run(): void {
        isDone = true;
      }
    }
    configureCommand(new Command('test'), Fields).parse([], { from: 'user' });
    expect(isDone).toBe(true);
  });
});

test.each([',', ';', ' ', '^', ']', '\\', '-', '|', '.'])(
  'lists with the separator %j tell tools what an element cannot hold',
  (separator) => {
    class Fields {
      @CliOption('--list <texts>', '', { type: 'string', separator }) list: string[] = [];
      run(): this {
        return this;
      }
    }
    const [option] = configureCommand(new Command('test'), Fields).options;
    const { items } = descriptionOf(option!)!.schema as { items: { pattern: string } };
    const pattern = new RegExp(items.pattern, 'u');
    const texts = ['a-b.c'.replaceAll(separator, ''), `a${separator}b`, separator, ''];
    expect(texts.map((text) => pattern.test(text))).toEqual([true, false, false, false]);
  },
);

describe('programs', () => {
  @CliCommand({ name: 'child', parent: 'group sub' })
  class Child {
    run(): void {}
  }
  @CliCommand({
    name: 'group',
    description: 'declared later',
    configure: (command) => command.usage('as you like'),
  })
  class Group {}

  test('groups of a path are made, and a class that comes later is theirs', () => {
    const program = addCommands(new Command('test'), [Child, Group]);
    const [group] = program.commands;
    expect(program.commands).toHaveLength(1);
    expect([group?.name(), group?.description(), group?.usage()]).toEqual([
      'group',
      'declared later',
      'as you like',
    ]);
    expect(group?.commands[0]?.commands[0]?.name()).toBe('child');
  });

  test('groups that the program has already are used', () => {
    const program = new Command('test');
    const sub = program.command('group').alias('g').command('sub');
    addCommands(program, [Child]);
    expect(sub.commands.map((each) => each.name())).toEqual(['child']);
  });

  test('the program may be a class, and the parent of others, added at another time', async () => {
    class Root {
      @CliOption('--room <name>') room = 'hall';
    }
    @CliCommand({ name: 'show', parent: Root })
    class Show {
      @CliOptions(Root) root!: Root;
      run(): string {
        return this.root.room;
      }
    }
    const program = configureCommand(new Command('test'), Root);
    addCommands(program, [Show]);
    expect(await parse(program, '--room', 'attic', 'show')).toBe('attic');
    expect(program.commands[0]?.options).toEqual([]);
  });

  test("subcommands and options are made by the program's own methods", () => {
    class OwnOption extends Option {}
    class Own extends Command {
      override createCommand(name?: string): Own {
        return new Own(name);
      }
      override createOption(flags: string, description?: string): Option {
        return new OwnOption(flags, description);
      }
    }
    @CliCommand({ name: 'run' })
    class Run {
      @CliOption('--fast') fast = false;
      run(): void {}
    }
    const program = addCommands(new Own('test'), [Run]);
    expect(program.commands[0]).toBeInstanceOf(Own);
    expect(program.commands[0]?.options[0]).toBeInstanceOf(OwnOption);
  });

  test('a default command, hidden from the help', async () => {
    @CliCommand({ name: 'main', isDefault: true, hidden: true, summary: 'short' })
    class Main {
      run(): string {
        return 'main';
      }
    }
    const program = addCommands(new Command('test'), [Main]);
    expect(await parse(program)).toBe('main');
    expect(program.helpInformation()).not.toContain('main');
    expect(program.commands[0]?.summary()).toBe('short');
  });
});

test.each(['legacy', 'standard'] as const)(
  'two copies of the package agree, %s decorators',
  async (dialect) => {
    const copy = compile("export * from '@mcpify/class-commands';", dialect).program.replace(
      'src/program.mjs',
      'copy',
    );
    const own = dirname(dirname(fileURLToPath(import.meta.resolve('@mcpify/class-commands'))));
    for (const part of ['dist', 'src']) cpSync(join(own, part), join(copy, part), { recursive: true });
    const entry = pathToFileURL(join(copy, 'dist/index.js')).href;
    const other = (await import(/* @vite-ignore */ entry)) as typeof classCommands;
    expect(other.addCommands).not.toBe(addCommands);
    const { program } = compile(DEPOT, dialect);
    const depot = (await import(/* @vite-ignore */ pathToFileURL(program).href)) as typeof depotTypes;
    const made = other.addCommands(new Command('other'), [depot.Lend]);
    expect(await parse(made, 'lend', 'pen', '--days', '3')).toMatchObject({ article: 'pen', days: 3 });
    expect(marksOf(made.commands[0]!)).toMatchObject({ title: 'Lend' });
  },
);

test('calls may overlap, but where the class says that they may not, or runs as a child process', () => {
  @McpTool @CliCommand({ name: 'a', concurrent: false }) class Alone { run(): void {} } // prettier-ignore
  @McpTool @McpIsolated @CliCommand({ name: 'b' }) class Isolated { run(): void {} } // prettier-ignore
  class Plain { run(): void {} } // prettier-ignore
  CliCommand({ name: 'c' })(Plain);
  McpTool(Plain);
  McpReadOnly(Plain);
  const program = addCommands(new Command('test'), [Alone, Isolated, Plain]);
  expect(program.commands.map((each) => marksOf(each))).toEqual([
    { tool: {} },
    { tool: {}, isolated: true },
    { tool: {}, readOnly: true, concurrent: true },
  ]);
});
