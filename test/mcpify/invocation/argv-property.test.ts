import * as commander12 from 'commander12';
import * as commander13 from 'commander13';
import * as commander14 from 'commander14';
import * as commander15 from 'commander15';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { planInvocation } from '../../../packages/mcpify/src/invocation/plan-invocation.js';
import type { CommandModel, Parameter } from '../../../packages/mcpify/src/schema/command-model.js';
import type { CommandNode } from '../../../packages/mcpify/src/schema/command-node.js';
import { readCommand } from '../../../packages/mcpify/src/schema/read-command.js';

type Commander = typeof commander14;
const MAJORS = { 12: commander12, 13: commander13, 14: commander14, 15: commander15 } as unknown as Record<
  string,
  Commander
>;

describe.each(Object.entries(MAJORS))('commander %s', (_major, commander) => {
  test('argv built from random values gives the same values back', async () => {
    let runs = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(programs, fc.infiniteStream(fc.nat()), texts, async (shape, numbers, words) => {
        const { leaf, seen } = build(commander, shape);
        const model = read(leaf);
        const values = pickValues(model, numbers, words);
        const plan = planInvocation(model, values, SETTINGS);
        if (plan.kind === 'refused') {
          refused += 1;
          return;
        }
        runs += 1;
        const argv = plan.invocation.argv;
        await rootOf(leaf).parseAsync([...argv], { from: 'user' });
        expect(seen, `no action ran for ${JSON.stringify(argv)}`).toHaveLength(1);
        expect(seen[0]).toEqual({ mismatch: undefined, positionals: expectedPositionals(model, values) });
        for (const parameter of model.parameters) expectValue(model, parameter, values, argv);

        function read(command: InstanceType<Commander['Command']>) {
          return readCommand(command as unknown as CommandNode, FACTS);
        }

        function rootOf(command: InstanceType<Commander['Command']>) {
          let root = command;
          while (root.parent) root = root.parent as InstanceType<Commander['Command']>;
          root.hook('preAction', (_root, action) => {
            seen.push({
              mismatch:
                plan.kind === 'run' ? plan.invocation.findMismatch(action as unknown as CommandNode) : '',
              positionals: [...action.args],
            });
          });
          return root;
        }
      }),
      { numRuns: 1500 },
    );
    expect(runs).toBeGreaterThan(refused * 2);
  });
});

const SETTINGS = {
  toolName: 'tool',
  concurrent: false,
  cwd: '/',
  pinnedValues: {},
  defaultValues: {},
};

const FACTS = { pinned: new Set<string>(), defaulted: new Set<string>(), describe: () => undefined };

/* Few names and letters, so that levels clash often. */
const optionShape = fc.record({
  kind: fc.constantFrom(
    'flag',
    'value',
    'optional',
    'variadic',
    'optionalVariadic',
    'lone',
    'pair',
    'count',
    'collect',
  ),
  long: fc.option(fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'sub', 'version'), { freq: 5 }),
  short: fc.option(fc.constantFrom('a', 'b', 'g', 'd', 'v', 'V')),
  withDefault: fc.boolean(),
  choices: fc.boolean(),
});

const levelShape = fc.record({
  options: fc.array(optionShape, { maxLength: 4 }),
  positional: fc.boolean(),
  combine: fc.boolean(),
});

const programs = fc.record({
  version: fc.boolean(),
  levels: fc.array(levelShape, { minLength: 1, maxLength: 3 }),
  leafHasChild: fc.boolean(),
  args: fc.constantFrom(
    [],
    ['<one>'],
    ['[one]'],
    ['<one>', '[two]'],
    ['[one]', '[two]'],
    ['<one>', '[rest...]'],
  ),
});

const texts = fc.array(
  fc.oneof(
    fc.constantFrom(
      '',
      '-',
      '--',
      '-a',
      '--alpha',
      '--alpha=1',
      '-5',
      'sub',
      'help',
      'a b',
      '\n',
      '=',
      'é',
      '-h',
    ),
    fc.string({ maxLength: 6 }),
  ),
  { minLength: 12, maxLength: 12 },
);

type Shape = typeof programs extends fc.Arbitrary<infer T> ? T : never;

function build(commander: Commander, shape: Shape) {
  const seen: { mismatch: string | undefined; positionals: string[] }[] = [];
  let command = new commander.Command('program');
  if (shape.version) command.version('1.0.0');
  const silent = { writeOut() {}, writeErr() {} };
  shape.levels.forEach((level, index) => {
    if (index > 0) command = command.command(['sub', 'child'][index - 1]!);
    command.exitOverride().configureOutput(silent);
    if (level.positional) command.enablePositionalOptions();
    command.combineFlagAndOptionalValue(level.combine);
    for (const option of level.options) addOption(commander, command, option);
  });
  for (const argument of shape.args) command.argument(argument);
  command.action(() => {});
  if (shape.leafHasChild) command.command('sub').action(() => {});
  return { leaf: command, seen };
}

function addOption(
  commander: Commander,
  command: InstanceType<Commander['Command']>,
  shape: Shape['levels'][number]['options'][number],
) {
  if (!shape.long && (!shape.short || shape.kind === 'lone' || shape.kind === 'pair')) return;
  const placeholders: Record<string, string> = {
    value: ' <v>',
    optional: ' [v]',
    variadic: ' <v...>',
    optionalVariadic: ' [v...]',
    collect: ' <v>',
  };
  const name = shape.kind === 'lone' ? `no-${shape.long}` : shape.long;
  const flags = [shape.short && `-${shape.short}`, name && `--${name}`].filter(Boolean).join(', ');
  try {
    const option = new commander.Option(flags + (placeholders[shape.kind] ?? ''));
    if (shape.kind === 'collect') {
      option.argParser((value: string, list: string[] | undefined) => [...(list ?? []), value]).default([]);
    } else if (shape.kind === 'count') {
      option.argParser(((_: string, count: number | undefined) => (count ?? 0) + 1) as never).default(0);
    } else if (shape.withDefault && shape.kind === 'value') option.default('usual');
    else if (shape.withDefault && shape.kind.startsWith('variadic')) option.default(['usual']);
    else if (shape.choices && shape.kind === 'value') option.choices(['usual', '-a', 'other']);
    command.addOption(option);
    if (shape.kind === 'pair') command.addOption(new commander.Option(`--no-${shape.long}`));
  } catch {
    // Flags that commander refuses: the program has one option less.
  }
}

function pickValues(model: CommandModel, numbers: fc.Stream<number>, words: readonly string[]) {
  const next = () => numbers.next().value as number;
  const word = () => words[next() % words.length]!;
  const value = ({ schema, shape }: Parameter): unknown => {
    const choices = (schema.anyOf?.at(-1) ?? schema).enum;
    const text = () => (choices ? choices[next() % choices.length] : word());
    if (shape.kind === 'flag') return next() % 2 === 0;
    if (shape.kind === 'counter') return next() % 4;
    if (shape.kind === 'list') return Array.from({ length: (schema.minItems ?? 0) + (next() % 3) }, text);
    const pick = next() % 3;
    if (schema.anyOf && pick < 2) return shape.kind === 'optional' ? pick === 0 : false;
    return text();
  };
  const chosen = model.parameters.filter(({ required }) => required || next() % 3 > 0);
  return Object.fromEntries(chosen.map((parameter) => [parameter.property, value(parameter)]));
}

function expectedPositionals(model: CommandModel, values: Record<string, unknown>): string[] {
  return model.parameters
    .filter(({ target }) => target.kind !== 'option')
    .flatMap(({ property }) => (values[property] ?? []) as string | string[]);
}

function expectValue(
  model: CommandModel,
  { property, target, schema, shape }: Parameter,
  values: Record<string, unknown>,
  argv: readonly string[],
) {
  if (target.kind !== 'option' || !(property in values)) return;
  // A flag with a parser and a --no- partner: the parser makes of it what it will.
  if (shape.kind === 'flag' && target.option.parseArg) return;
  const command = model.path[target.level]!;
  const found = command.getOptionValue(target.option.attributeName());
  const asked = values[property];
  const isOff = asked === false || asked === 0 || (Array.isArray(asked) && asked.length === 0);
  const wanted = isOff ? [asked, undefined, ...(schema.type === 'array' ? [[]] : [])] : [asked];
  expect(wanted, `${property} in ${JSON.stringify(argv)}`).toContainEqual(found);
}
