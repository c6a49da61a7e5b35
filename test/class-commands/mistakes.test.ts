import {
  addCommands,
  CliArgument,
  CliCommand,
  CliOption,
  CliOptions,
  configureCommand,
  defineFields,
} from '@mcpify/class-commands';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';

/** Classes without types, as plain JavaScript and most compilers have them. */
const classWith = (fields: Record<string, unknown>, initial: Record<string, unknown> = {}) => {
  const made = class Serve {
    constructor() {
      Object.assign(this, initial);
    }
    run(): void {}
  };
  defineFields(made, fields as object);
  return made;
};
const build = (commandClass: new () => object) => configureCommand(new Command('test'), commandClass);

describe('a field whose type nothing tells', () => {
  test.each([
    [
      'an option',
      CliOption('--field <value>'),
      "Say it: CliOption('--field <value>', '…', { type: 'string' })",
    ],
    ['an argument', CliArgument('<field>'), "Say it: CliArgument('<field>', '…', { type: 'string' })"],
    ['a list', CliOption('--field <value...>'), 'of what type the elements of a list are'],
    [
      'a list in one text',
      CliOption('--field <value>', '', { separator: ',' }),
      'of what type the elements of a list are',
    ],
  ])('%s', (_, field, message) => {
    expect(() => build(classWith({ field }))).toThrow(TypeError);
    expect(() => build(classWith({ field }))).toThrow(`The type of Serve.field is unknown`);
    expect(() => build(classWith({ field }))).toThrow(message);
  });

  test('is told which option of the compiler to set', () => {
    expect(() => build(classWith({ field: CliOption('--field <value>') }))).toThrow(
      /"experimentalDecorators" and "emitDecoratorMetadata" in tsconfig.json, "legacyDecorator" and "decoratorMetadata" in .swcrc; esbuild, tsx and standard decorators never do/,
    );
  });

  test('or that a union has no single type', () => {
    class Serve {
      // @ts-expect-error the compiler refuses it too
      @CliOption('--port <number>') port?: string | number;
      run(): void {}
    }
    expect(() => build(Serve)).toThrow(
      /Serve.port is unknown: the compiler tells no single type \(it is a union/,
    );
  });

  test('or that a list takes one value only', () => {
    class Serve {
      // @ts-expect-error the compiler refuses it too
      @CliOption('--ports <number>') ports: number[] = [];
      run(): void {}
    }
    expect(() => build(Serve)).toThrow(
      /Serve.ports is an array, but CliOption\('--ports <number>'\) takes one value/,
    );
  });
});

describe('a declaration that contradicts the initial value', () => {
  test.each([
    [
      'a flag that is on',
      CliOption('--field'),
      true,
      'can only make it so: write "--no-field", or { negatable: true }',
    ],
    [
      'a flag that is off',
      CliOption('--no-field'),
      false,
      'can only make it so: write "--field", or { negatable: true }',
    ],
    ['a flag of a number', CliOption('-f, --field'), 1, 'takes no value: write "-f, --field <value>"'],
    ['an argument that must be given', CliArgument('<field>'), 'a', `never leaves in place: write "[field]"`],
    [
      'opposites of a value',
      CliOption('--field <text>', '', { negatable: true }),
      'a',
      'is for a flag with a long name',
    ],
    [
      'opposites of a letter',
      CliOption('-f', '', { negatable: true }),
      undefined,
      'is for a flag with a long name',
    ],
  ])('%s', (_, field, initial, message) => {
    expect(() => build(classWith({ field }, { field: initial }))).toThrow(message);
  });
});

describe('what the compiler would refuse, in plain JavaScript', () => {
  const option = CliOption as (...given: unknown[]) => unknown;
  const argument = CliArgument as (...given: unknown[]) => unknown;

  test.each([
    [
      option('--field <value>', '', { secrte: true }),
      /^Serve\.field: CliOption\('--field <value>'\) has no setting "secrte"\. Did you mean secret\? Known: /,
    ],
    [option('--field', '', { negatible: true }), /"negatible"\. Did you mean negatable\?/],
    [
      argument('[field]', '', { secret: true }),
      /^Serve\.field: CliArgument\('\[field\]'\) has no setting "secret"\. Known: type, /,
    ],
    [
      option('--field <value>', '', { type: 'float' }),
      /^Serve\.field: there is no type "float"\. Known: string, number, integer, boolean, date, json, path\.$/,
    ],
    [argument('[field]', '', { type: 'sting' }), /there is no type "sting"\. Did you mean string\?/],
    [option('--field', '', { type: null }), /there is no type "null"/],
    [
      option('--field <value>', { secret: true }),
      "Serve.field: the description must be a text: CliOption('--field <value>', '…', { … }).",
    ],
  ])('a field %#', (field, message) => {
    const commandClass = classWith({ field });
    expect(() => build(commandClass)).toThrow(TypeError);
    expect(() => build(commandClass)).toThrow(message);
  });

  test('a command', () => {
    class Serve {
      run(): void {}
    }
    CliCommand({ name: 'serve', concurent: false } as never)(Serve);
    expect(() => addCommands(new Command('test'), [Serve])).toThrow(TypeError);
    expect(() => build(Serve)).toThrow(TypeError);
    expect(() => addCommands(new Command('test'), [Serve])).toThrow(
      /^Serve: CliCommand has no setting "concurent"\. Did you mean concurrent\? Known: name, /,
    );
  });
});

describe('fields that cannot be', () => {
  test('two of one name, in a set too', () => {
    class Set {
      @CliOption('--name <text>') other = 'a';
    }
    class Serve {
      @CliOption('-n, --name <text>') name = 'a';
      @CliOptions(Set) set!: Set;
      run(): void {}
    }
    expect(() => build(Serve)).toThrow(
      'Serve.name and Set.other are both the option "name" of command "test"',
    );
  });

  test('an argument in a set', () => {
    class Set {
      @CliArgument('[name]') name = 'a';
    }
    expect(() => build(classWith({ set: CliOptions(Set) }))).toThrow(
      'Set.name is an argument: an option set holds options only',
    );
  });

  test('a set in itself', () => {
    class Set {}
    defineFields(Set, { set: CliOptions(Set) } as object);
    expect(() => build(classWith({ set: CliOptions(Set) }))).toThrow('Option set Set holds itself, in set');
  });

  test.each([
    ['a method', () => decorate(CliOption('--a'), {}, 'a', { value: () => {} })],
    ['a setter', () => decorate(CliOption('--a'), {}, 'a', { set: () => {} })],
    ['an accessor', () => decorate(CliOptions(class {}), {}, 'a', { get: () => 1 })],
    ['a static field', () => decorate(CliArgument('<a>'), class {}, 'a')],
    ['a symbol', () => decorate(CliOption('--a'), {}, Symbol('a'))],
    ['a class', () => decorate(CliOption('--a'), class {})],
    ['a standard method', () => decorate(CliOption('--a'), undefined, standard({ kind: 'method' }))],
    ['a standard private field', () => decorate(CliOption('--a'), undefined, standard({ private: true }))],
    ['a standard static field', () => decorate(CliOption('--a'), undefined, standard({ static: true }))],
  ])('%s', (_, work) => {
    expect(work).toThrow(/^@Cli(Option|Argument|Options) goes on a public field/);
  });
});

describe('classes that cannot be commands', () => {
  @CliCommand({ name: 'serve' })
  class Serve {
    run(): void {}
  }
  const add = (...classes: Array<new (...services: never[]) => object>) =>
    addCommands(new Command('test'), classes);

  test('without @CliCommand; a subclass has its own', () => {
    class Plain {}
    expect(() => add(Plain)).toThrow("Plain is no command: write @CliCommand({ name: '…' }) on it");
    expect(() => add(class Derived extends Serve {})).toThrow('Derived is no command');
    const decorator = CliCommand({ name: 'a' });
    expect(() => decorate(decorator, 'text')).toThrow('@CliCommand goes on a class');
    expect(() => decorate(decorator, class {}, 'staticMember')).toThrow('@CliCommand goes on a class');
    expect(() => decorate(decorator, () => {}, standard({ kind: 'method' }))).toThrow(
      '@CliCommand goes on a class',
    );
  });

  test('two of one name, or one that the program has', () => {
    @CliCommand({ name: 'serve' }) class Other extends Serve {} // prettier-ignore
    expect(() => add(Serve, Other)).toThrow('Other and Serve are both "serve" of "test"');
    const program = new Command('test');
    program.command('start').alias('serve');
    expect(() => addCommands(program, [Serve])).toThrow(
      'Serve and a command of the program are both "serve"',
    );
  });

  test('a name of several words', () => {
    @CliCommand({ name: 'serve now' }) class Other extends Serve {} // prettier-ignore
    expect(() => add(Other)).toThrow(
      'The name of Other must be one word, not "serve now": a path goes to "parent"',
    );
  });

  test('nothing to run and no subcommands', () => {
    @CliCommand({ name: 'group' }) class Group {} // prettier-ignore
    expect(() => add(Group)).toThrow('Group has no run() and no subcommands');
  });

  test('its own parent', () => {
    class A {}
    class B {}
    CliCommand({ name: 'a', parent: B })(A);
    CliCommand({ name: 'b', parent: A })(B);
    expect(() => add(A)).toThrow('A is its own parent');
  });

  test('a constructor that needs its services', () => {
    @CliCommand({ name: 'serve' })
    class Other extends Serve {
      readonly address: string;
      constructor(settings: { readonly address: string }) {
        super();
        this.address = settings.address;
      }
    }
    expect(() => add(Other)).toThrow(
      /^Other cannot be made without arguments, which is done once .*: Cannot read properties of undefined .*Use its services in run\(\)/,
    );
  });
});

/** A decorator where the compiler would not let it stand. */
function decorate(decorator: unknown, ...args: readonly unknown[]): unknown {
  return (decorator as (...args: readonly unknown[]) => unknown)(...args);
}

function standard(context: object): object {
  return { kind: 'field', name: 'a', private: false, static: false, addInitializer: () => {}, ...context };
}
