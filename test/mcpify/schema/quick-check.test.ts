import { expect, test } from 'vitest';

import { compileSchema, findErrors } from '../../../packages/mcpify/src/schema/compile-schema.js';
import type { JsonSchema } from '../../../packages/mcpify/src/schema/json-schema.js';
import { createQuickCheck } from '../../../packages/mcpify/src/schema/quick-check.js';

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'who' },
    size: { type: 'number', default: 1 },
    count: { type: 'integer' },
    force: { type: 'boolean' },
    region: { type: 'string', enum: ['eu', 'us'] },
    level: { type: 'integer', enum: [1, 2] },
    files: { type: 'array', items: { type: 'string' }, minItems: 1 },
  },
  required: ['name'],
  additionalProperties: false,
};

const VALUES: readonly unknown[] = [
  '',
  'eu',
  'us',
  'au',
  '1',
  0,
  1,
  2,
  -0,
  1.5,
  1e300,
  true,
  false,
  null,
  {},
  [],
  ['a'],
  ['a', 1],
  [[]],
  JSON.parse('{"__proto__": 1}'),
];

test('takes what the validator takes, and nothing else', () => {
  const check = createQuickCheck(SCHEMA)!;
  const names = [...Object.keys(SCHEMA.properties!), 'other', '__proto__', 'constructor'];
  const instances = names.flatMap((name) =>
    VALUES.flatMap((value) => [
      Object.fromEntries([[name, value]]),
      Object.fromEntries([
        ['name', 'Ann'],
        [name, value],
      ]),
    ]),
  );
  for (const instance of [...instances, ...VALUES]) {
    const errors = findErrors(() => compileSchema(SCHEMA), instance);
    expect({ instance, isRight: check(instance) }).toEqual({ instance, isRight: errors.length === 0 });
  }
});

test.each<JsonSchema>([
  { type: 'string', pattern: '^a' },
  { type: 'number', minimum: 1 },
  { type: ['string', 'null'] as never },
  { anyOf: [{ type: 'string' }] },
  { type: 'array' },
  { type: 'object', properties: { a: { $ref: '#/nowhere' } } },
  {},
  { type: 'object', properties: { a: null as never } },
  { type: 'object', properties: null as never },
  { type: 'object', required: 'a' as never },
  { type: 'string', enum: 'a' as never },
])('leaves the rest to the validator: %j', (schema) => {
  expect(createQuickCheck(schema)).toBeUndefined();
});
