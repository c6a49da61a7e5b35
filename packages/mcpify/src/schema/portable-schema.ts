import { UsageError } from '../errors/usage-error.js';
import type { JsonSchema } from './json-schema.js';

/**
 * An author's schema of one property, as every client takes it (B3.1): words that only tell the draft are left out,
 * those of old drafts are put into today's; what no client in use would read is refused.
 *
 * @param where what is described, for the message: `option "--size <n>"`
 * @throws UsageError `INVALID_SETTING`
 */
export function toPortableSchema(schema: Readonly<Record<string, unknown>>, where: string): JsonSchema {
  const place = { where, path: 'schema' };
  return toPortable(toJson(schema, place), place) as JsonSchema;
}

/** A copy, as it will be sent. */
function toJson(schema: unknown, place: Place): unknown {
  try {
    return JSON.parse(JSON.stringify(schema));
  } catch (error) {
    throw refused(place, `is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
}

interface Place {
  readonly where: string;
  readonly path: string;
}

const LEFT_OUT = new Set(['$schema', '$id', '$comment', '$anchor', 'id', 'nullable']);
const REFUSED = new Set(['$ref', '$defs', 'definitions', '$dynamicRef', '$recursiveRef']);

/** Keywords whose value is a schema, a list of schemas, or an object of schemas. */
const ONE = new Set([
  'items',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'additionalProperties',
  'propertyNames',
]);
const MANY = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas']);

function toPortable(schema: unknown, place: Place): unknown {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) throw refused(place, 'must be an object');
  const entries = Object.entries(schema)
    .filter(([keyword]) => !LEFT_OUT.has(keyword))
    .map(([keyword, value]) => [keyword, toPortableValue(keyword, value, within(place, keyword))]);
  const portable = Object.fromEntries(entries) as Record<string, unknown>;
  for (const [flag, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (portable[flag] === true) {
      portable[flag] = portable[limit];
      delete portable[limit];
    }
    if (portable[flag] === false || portable[flag] === undefined) delete portable[flag];
  }
  checkEnum(portable, place);
  if (portable['type'] === 'array' && !isObject(portable['items']) && !portable['prefixItems']) {
    throw refused(place, 'is an array without "items"');
  }
  if (isObject(portable['items']) && Object.keys(portable['items']).length === 0) {
    throw refused(within(place, 'items'), 'says nothing of the elements: name their type');
  }
  return portable;
}

function toPortableValue(keyword: string, value: unknown, place: Place): unknown {
  if (REFUSED.has(keyword)) throw refused(place, 'is a reference; write the schema out in its place');
  if (keyword === 'type') return toOneType(Array.isArray(value) ? value : [value], place);
  const wanted = KINDS[keyword];
  if (wanted && !wanted.fits(value)) throw refused(place, `must be ${wanted.name}`);
  if (keyword === 'pattern') return checkPattern(value, place);
  if (ONE.has(keyword)) return toPortable(value, place);
  if (MANY.has(keyword)) {
    if (!Array.isArray(value) || value.length === 0) throw refused(place, 'must be an array of schemas');
    return value.map((each, index) => toPortable(each, within(place, String(index))));
  }
  if (!NAMED.has(keyword)) return value;
  if (!isObject(value)) throw refused(place, 'must be an object of schemas');
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, toPortable(each, within(place, name))]),
  );
}

/** `null` means "not given" in a call, so that it need not be a type. */
function toOneType(types: readonly unknown[], place: Place): unknown {
  const others = types.filter((type) => type !== 'null');
  if (others.length !== 1) throw refused(place, 'must be one type; several are said with "anyOf"');
  const [type] = others;
  if (TYPES.includes(type as string)) return type;
  throw refused(place, `must be one of ${TYPES.join(', ')}`);
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'];

/** Clients refuse an empty enum, an empty text in it, and values of several types. */
function checkEnum(schema: Record<string, unknown>, place: Place): void {
  const { enum: given } = schema;
  if (given === undefined) return;
  const values = Array.isArray(given) ? given.filter((value) => value !== '' && value !== null) : [];
  const [type, ...others] = new Set(values.map((value) => typeof value));
  if (type === undefined || others.length > 0 || type === 'object') {
    throw refused(within(place, 'enum'), 'must be an array of texts, of numbers, or of true and false');
  }
  schema['enum'] = values;
  schema['type'] ??= type;
}

interface Kind {
  readonly name: string;
  fits(value: unknown): boolean;
}

const TEXT: Kind = { name: 'a text', fits: (value) => typeof value === 'string' };
const NUMBER: Kind = { name: 'a number', fits: (value) => typeof value === 'number' };
const LIMIT: Kind = {
  name: 'a number',
  fits: (value) => typeof value === 'number' || typeof value === 'boolean',
};
const COUNT: Kind = {
  name: 'an integer of at least 0',
  fits: (value) => Number.isInteger(value) && (value as number) >= 0,
};

/** What a keyword holds: a validator of a client refuses the whole list for one that is wrong. */
const KINDS: Readonly<Record<string, Kind | undefined>> = {
  __proto__: null as never,
  title: TEXT,
  description: TEXT,
  format: TEXT,
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: LIMIT,
  exclusiveMaximum: LIMIT,
  multipleOf: { name: 'a number above 0', fits: (value) => typeof value === 'number' && value > 0 },
  minLength: COUNT,
  maxLength: COUNT,
  minItems: COUNT,
  maxItems: COUNT,
  uniqueItems: { name: 'true or false', fits: (value) => typeof value === 'boolean' },
};

function checkPattern(value: unknown, place: Place): unknown {
  try {
    new RegExp(String(value), 'u');
    return value;
  } catch (error) {
    throw refused(place, `is no regular expression (${(error as Error).message})`);
  }
}

function within({ where, path }: Place, key: string): Place {
  return { where, path: `${path}.${key}` };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refused({ where, path }: Place, why: string): UsageError {
  return new UsageError(
    'INVALID_SETTING',
    `The JSON Schema given for ${where} cannot be used: ${path} ${why}.`,
  );
}
