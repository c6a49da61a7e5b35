import { fileURLToPath } from 'node:url';

import { addCommands, CliOption, configureCommand, defineFields, CliArgument } from '@mcpify/class-commands';
import { Command as TypedCommand } from '@commander-js/extra-typings';
import { Command as Command12 } from 'commander12';
import { Command as Command13 } from 'commander13';
import { Command as Command14 } from 'commander14';
import { Command as Command15 } from 'commander15';
import ts from 'typescript';
import { expect, expectTypeOf, test } from 'vitest';

/** The same classes, right and wrong ones: the wrong lines carry `@ts-expect-error`. */
const FIXTURES = ['depot.ts', 'field-types.ts'].map((name) =>
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)),
);

test.each([
  ['legacy decorators', { experimentalDecorators: true, emitDecoratorMetadata: true }],
  ['standard decorators', {}],
])('fields are checked under %s', (_, options) => {
  const program = ts.createProgram(FIXTURES, {
    ...options,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    types: ['node'],
  });
  const found = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
  expect(found).toEqual([]);
});

test('a Command of every major keeps its own type', () => {
  class Run {
    run(): void {}
  }
  expectTypeOf(addCommands(new Command12('a'), [])).toEqualTypeOf<Command12>();
  expectTypeOf(addCommands(new Command13('a'), [])).toEqualTypeOf<Command13>();
  expectTypeOf(configureCommand(new Command14('a'), Run)).toEqualTypeOf<Command14>();
  expectTypeOf(configureCommand(new Command15('a'), Run)).toEqualTypeOf<Command15>();
  const typed = new TypedCommand('a').option('--count <n>', '', Number);
  expectTypeOf(addCommands(typed, []).opts().count).toEqualTypeOf<number | undefined>();
});

test('fields without decorators are checked too', () => {
  class Serve {
    port = 80;
    name?: string;
    tags: string[] = [];
    mode: 'a' | 'b' = 'a';
  }
  const wrong = () => {
    defineFields(Serve, {
      port: CliOption('--port <n>'),
      name: CliArgument('[name]'),
      tags: CliOption('--tags <tag...>', '', { type: 'string' }),
      mode: CliOption('--mode <mode>', '', { choices: ['a', 'b'] }),
    });
    // @ts-expect-error a flag gives no number
    defineFields(Serve, { port: CliOption('--port') });
    // @ts-expect-error there is no such field
    defineFields(Serve, { prot: CliOption('--port <n>') });
    // @ts-expect-error of what the list is must be said
    defineFields(Serve, { tags: CliOption('--tags <tag...>') });
    // @ts-expect-error "c" is no mode
    defineFields(Serve, { mode: CliOption('--mode <mode>', '', { choices: ['a', 'c'] }) });
    // @ts-expect-error a text may be no mode
    defineFields(Serve, { mode: CliOption('--mode <mode>') });
  };
  expectTypeOf(wrong).toBeFunction();
});
