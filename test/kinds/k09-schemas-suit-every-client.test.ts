import { describeArgument, describeOption, exposeAsTool, McpTool } from '@mcpify/markers';
import { Argument, Command, Option } from 'commander';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { resolveSettings } from '../../packages/mcpify/src/options/resolve-settings.js';
import { buildRegistry } from '../../packages/mcpify/src/registry/build-registry.js';
import { brokenRules } from '../../packages/mcpify/src/schema/client-rules.js';
import type { CommandNode } from '../../packages/mcpify/src/schema/command-node.js';
import { CLIENT_KINDS, connect } from '../wire/connect.js';

/* K09: one schema that a client refuses takes all tools away, so each holds to what the strictest of them take. */

type Schema = Readonly<Record<string, any>>;

/** Words that some client or model refuses, wherever they stand. */
const REFUSED = [
  '$ref',
  '$defs',
  '$id',
  '$schema',
  'definitions',
  'nullable',
  'oneOf',
  'allOf',
  'not',
  'if',
  'const',
  'format',
  'dependentRequired',
  'patternProperties',
];

const TYPES = ['string', 'number', 'integer', 'boolean', 'array'];

function checkRoot(schema: Schema): void {
  expect(brokenRules({ name: 'tool', inputSchema: schema })).toEqual([]);
  expect(Object.keys(schema).toSorted()).toEqual(
    ['additionalProperties', 'properties', ...('required' in schema ? ['required'] : []), 'type'].toSorted(),
  );
  expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
  for (const [key, property] of Object.entries(schema['properties'] as Schema)) {
    expect(key).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
    checkProperty(property, key);
  }
  for (const key of schema['required'] ?? []) expect(Object.hasOwn(schema['properties'], key)).toBe(true);
  if (schema['required']) expect(schema['required']).not.toHaveLength(0);
  expect(() => JSON.stringify(schema)).not.toThrow();
}

function checkProperty(schema: Schema, where: string): void {
  for (const word of REFUSED) expect(Object.hasOwn(schema, word), `${where}: ${word}`).toBe(false);
  if (schema['description'] !== undefined) {
    expect(typeof schema['description']).toBe('string');
    expect(schema['description']).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  }
  if (schema['anyOf']) {
    const [flag, other, ...more] = schema['anyOf'] as Schema[];
    expect(flag).toEqual({ type: 'boolean' });
    expect(more).toEqual([]);
    return checkProperty(other!, where);
  }
  expect(TYPES, where).toContain(schema['type']);
  if (schema['type'] === 'array') checkProperty(schema['items'] ?? {}, `${where}.items`);
  const choices = schema['enum'] as unknown[] | undefined;
  if (choices) {
    expect(choices).not.toHaveLength(0);
    expect(new Set(choices).size).toBe(choices.length);
    for (const each of choices)
      expect({ where, type: typeof each, isEmpty: each === '' }).toEqual({
        where,
        type: schema['type'],
        isEmpty: false,
      });
  }
  if (Object.hasOwn(schema, 'default')) checkDefault(schema, where);
}

function checkDefault({ default: value, type, enum: choices, items }: Schema, where: string): void {
  if (choices) expect(choices).toContain(value);
  if (type === 'array') {
    expect(Array.isArray(value)).toBe(true);
    for (const each of value) checkDefault({ ...items, default: each }, where);
  } else if (type === 'integer') expect(Number.isSafeInteger(value), where).toBe(true);
  else expect(typeof value, where).toBe(type);
}

function toolOf(declare: (command: Command) => unknown) {
  const program = new Command('program');
  const command = program.command('run').action(() => {});
  declare(command);
  exposeAsTool(command);
  const node = program as unknown as CommandNode;
  return buildRegistry(node, node, resolveSettings({}, node)).definitions[0]!;
}

const propertiesOf = (declare: (command: Command) => unknown) =>
  toolOf(declare).inputSchema.properties as Record<string, Schema>;

const value = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withSparseArray: true, withTypedArray: true }),
  fc.constantFrom(undefined, null, '', 'a', '3000', 5, 1.5, 1e21, -0, NaN, Infinity, true, [], [''], ['a', 1], {}, new Date(0), () => 1, Symbol('s'), /a/, 10n, '\ud800', '\u001b[31mred'),
); // prettier-ignore

const choices = fc.array(
  fc.oneof(
    fc.constantFrom('', 'a', 'b', '1', 'true'),
    fc.integer({ max: 3, min: 0 }),
    fc.boolean(),
    fc.string(),
  ),
  { maxLength: 4 },
);

const parsers = fc.constantFrom(undefined, Number.parseInt, Number.parseFloat, Number, Boolean, JSON.parse, (text: string) => new Date(text), (text: string, list: unknown) => [...((list as unknown[]) ?? []), text]); // prettier-ignore

const declaration = fc.record({
  form: fc.constantFrom('--x', '--x <v>', '--x [v]', '--x <v...>', '--x [v...]', '--no-x', '-x <v>', '--x <url>', '--x <email>', '--x <js|ts>'),
  description: fc.oneof(fc.string(), fc.constantFrom(undefined, '\u001b[31mred\u001b[0m', '\u0000\u0007', 'a\nb', 5 as unknown as string)),
  value,
  shownAs: fc.option(fc.string(), { nil: undefined }),
  choices: fc.option(choices, { nil: undefined }),
  parser: parsers,
  preset: value,
  env: fc.option(fc.constant('KINDS_SCHEMA'), { nil: undefined }),
  mandatory: fc.boolean(),
  pair: fc.boolean(),
}); // prettier-ignore

test('whatever an option declares, its schema is one that all take', () => {
  fc.assert(
    fc.property(declaration, (each) => {
      const tool = toolOf((command) => {
        const option = new Option(each.form, each.description)
          .default(each.value, each.shownAs)
          .preset(each.preset);
        if (each.choices) option.choices(each.choices as string[]);
        if (each.parser) option.argParser(each.parser as () => unknown);
        if (each.env) option.env(each.env);
        command.addOption(option.makeOptionMandatory(each.mandatory));
        if (each.pair && !each.form.startsWith('--no')) command.option('--no-x');
      });
      checkRoot(tool.inputSchema as Schema);
      expect(typeof tool.description).toBe('string');
    }),
    { numRuns: 800 },
  );
});

test('whatever an argument declares, too', () => {
  fc.assert(
    fc.property(declaration, fc.constantFrom('<x>', '[x]', '<x...>', '[x...]'), (each, name) => {
      const tool = toolOf((command) => {
        const argument = new Argument(name, each.description);
        if (name.startsWith('[')) argument.default(each.value, each.shownAs);
        if (each.choices) argument.choices(each.choices as string[]);
        if (each.parser) argument.argParser(each.parser as (text: string, previous: unknown) => unknown);
        command.addArgument(argument);
      });
      checkRoot(tool.inputSchema as Schema);
    }),
    { numRuns: 400 },
  );
});

describe('rules between options are sentences, not combinators (F047)', () => {
  test('conflicts and implications', () => {
    const tool = toolOf((command) =>
      command
        .addOption(new Option('--a').conflicts('b'))
        .addOption(new Option('--b').implies({ c: 'x' }))
        .option('--c <v>'),
    );
    checkRoot(tool.inputSchema as Schema);
    expect(tool.description).toMatch(/Not together: a, b\.[^]*b implies c=x\./);
  });

  test('an option set that ten commands share is written out in each (F055)', () => {
    const shared = new Option('--level <level>').choices(['low', 'high']);
    const program = new Command('program');
    for (let index = 0; index < 10; index += 1) {
      exposeAsTool(
        program
          .command(`run${index}`)
          .addOption(shared)
          .action(() => {}),
      );
    }
    const node = program as unknown as CommandNode;
    const { definitions } = buildRegistry(node, node, resolveSettings({ sessionCache: 'off' }, node));
    expect(new Set(definitions.map(({ inputSchema }) => JSON.stringify(inputSchema))).size).toBe(1);
    for (const { inputSchema } of definitions) checkRoot(inputSchema as Schema);
  });
});

test.each<[what: string, declare: (command: Command) => unknown, property: Schema]>([
  ['choices with an empty one (F053)', (c) => c.addOption(new Option('--x <v>').choices(['', 'low'])), { type: 'string', enum: ['low'] }],
  ['no choices (F053)', (c) => c.addOption(new Option('--x <v>').choices([])), { type: 'string' }],
  ['choices that are numbers (F054)', (c) => c.addOption(new Option('--x <v>').choices([1, 2, 2] as never)), { type: 'string', enum: ['1', '2'] }],
  ['a list (F049)', (c) => c.option('--x [v...]'), { type: 'array', items: { type: 'string' } }],
  ['a collector (F049)', (c) => c.option('--x <v>', '', (text, list: string[]) => [...list, text], []), { type: 'array', items: { type: 'string' }, default: [] }],
  ['an address (F057)', (c) => c.option('--x <url>'), { type: 'string' }],
  ['a number with a text as default (F059)', (c) => c.option('--x <n>', '', Number.parseInt as never, '3000'), { type: 'integer' }],
  ['a default that is no JSON (F059)', (c) => c.option('--x <n>', '', new Date(0) as never), { type: 'string' }],
  ['a default that no number holds (F059)', (c) => c.option('--x <n>', '', Number as never, 1e21), { type: 'number' }],
])('%s', (_, declare, property) => {
  expect(propertiesOf(declare)['x']).toEqual(property);
}); // prettier-ignore

describe('what an author gives is cleaned, or refused at start with its place (F056)', () => {
  const given = (schema: unknown) => (command: Command) =>
    describeOption(command.option('--x <v>'), '--x', { schema: schema as Schema });

  test.each<[schema: Schema, sent: Schema]>([
    [{ type: 'number', exclusiveMinimum: true, minimum: 3, $schema: 'http://json-schema.org/draft-07/schema#' }, { type: 'number', exclusiveMinimum: 3 }],
    [{ type: ['string', 'null'], nullable: true }, { type: 'string' }],
    [{ enum: ['', 'a', 'a'] }, { type: 'string', enum: ['a', 'a'] }],
    [{ enum: [1, 2, null] }, { type: 'number', enum: [1, 2] }],
    [{ minLength: 3 }, { type: 'string', minLength: 3 }],
  ])('%j', (schema, sent) => {
    expect(propertiesOf(given(schema))['x']).toEqual(sent);
  }); // prettier-ignore

  const WRONG: readonly (readonly [place: string, ...schemas: unknown[]])[] = [
    ['schema is an array', { type: 'array' }],
    ['schema.items', { type: 'array', items: {} }, { type: 'array', items: [{ type: 'string' }] }],
    ['schema.$ref', { $ref: '#/x' }],
    ['schema.properties.a.$ref', { type: 'object', properties: { a: { $ref: 'x' } } }],
    ['schema.type', { type: ['string', 'number'] }, { type: 'text' }, { type: 5 }],
    ['schema.enum', { enum: [] }, { enum: [''] }, { enum: ['a', 1] }, { enum: 'a' }, { enum: [{}] }],
    ['schema.anyOf', { anyOf: [] }, { anyOf: {} }],
    ['schema.pattern', { pattern: '(' }],
    ['schema.minLength', { minLength: 'x' }, { minLength: -1 }],
    ['schema.maximum', { type: 'number', maximum: '9' }],
    ['schema.description', { type: 'string', description: 5 }],
    ['default', { type: 'number', default: 'x' }, { enum: ['a'], default: 'b' }],
    ['schema must be an object', 5, 'string', []],
    ['not JSON', { const: 1n }, { get title() { throw new Error('getter'); } }],
  ]; // prettier-ignore

  test.each(WRONG.map(([place, ...schemas]) => [place, schemas] as const))(
    'refused: %s',
    (place, schemas) => {
      for (const schema of schemas) {
        expect(() => toolOf(given(schema))).toThrow(expect.objectContaining({ code: 'INVALID_SETTING' }));
        expect(() => toolOf(given(schema))).toThrow('option "--x <v>"');
        expect(() => toolOf(given(schema))).toThrow(place);
      }
    },
  );

  test('a type that there is not; a description that is no text', () => {
    expect(() =>
      toolOf((command) => describeOption(command.option('--x <v>'), '--x', { type: 'integr' as 'integer' })),
    ).toThrow(/option "--x <v>".*string, number/);
    expect(() =>
      toolOf((command) => describeArgument(command.argument('<x>'), 'x', { type: 'text' as 'string' })),
    ).toThrow(/argument "x"/);
    expect(() => toolOf(McpTool({ description: 5 as unknown as string }))).toThrow(
      /McpTool\(\{ description \}\) of command "program run"/,
    );
  });
});

describe.concurrent.each(CLIENT_KINDS)('the %s client', (kind) => {
  test('reads the tools of whole programs, each with such a schema', async () => {
    const client = await connect(kind, 'examples/build/dist/mcp.js');
    const tools = await client.listTools();
    expect(tools.length).toBeGreaterThan(3);
    for (const { inputSchema } of tools) checkRoot(inputSchema as Schema);
  });
});
