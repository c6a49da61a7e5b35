import { stripVTControlCharacters } from 'node:util';

import { UsageError } from '../errors/usage-error.js';
import { losesLetters } from './ascii-letters.js';
import type { OptionNode, ArgumentNode } from './command-node.js';
import type { ValueShape } from './command-model.js';
import type { JsonSchema } from './json-schema.js';
import type { ParameterDescription, ValueType } from './parameter-description.js';
import { toPortableSchema } from './portable-schema.js';

/**
 * The property's schema: what an author described, else what commander's declaration says.
 *
 * @param canBeFalse whether a `--no-x` partner can switch the option off
 * @throws UsageError `INVALID_SETTING` where the author's schema cannot be used
 */
export function toValueSchema(
  node: OptionNode | ArgumentNode,
  shape: ValueShape,
  canBeFalse: boolean,
  described: ParameterDescription | undefined,
  defaultValue: unknown,
): JsonSchema {
  if (described?.type !== undefined && !VALUE_TYPES.includes(described.type)) {
    throw new UsageError(
      'INVALID_SETTING',
      `The type given for ${spelled(node)} must be one of ${VALUE_TYPES.join(', ')}.`,
    );
  }
  // One object that grows: programs of thousands of options feel each copy at start.
  const schema: { -readonly [K in keyof JsonSchema]: JsonSchema[K] } = schemaOfShape(shape, node, canBeFalse);
  const isDefaultShown = defaultValue !== undefined && fits(defaultValue, schema);
  const description = toDescription(node, shape, described);
  if (described?.schema) {
    const where = spelled(node);
    const own = toPortableSchema(described.schema, where);
    const whole = { ...(!saysType(own) && schema), ...(description !== '' && { description }), ...own };
    if (own.default === undefined) {
      const isShown = defaultValue !== undefined && isPlain(own) && fits(defaultValue, whole);
      return isShown ? { ...whole, default: defaultValue } : whole;
    }
    if (fits(own.default, whole)) return whole;
    throw new UsageError(
      'INVALID_SETTING',
      `The JSON Schema given for ${where}: its default does not fit it.`,
    );
  }
  if (description !== '') schema.description = description;
  if (isDefaultShown) schema.default = defaultValue;
  return schema;
}

function spelled(node: OptionNode | ArgumentNode): string {
  return 'flags' in node ? `option "${node.flags}"` : `argument "${node.name()}"`;
}

const VALUE_TYPES: readonly ValueType[] = ['string', 'number', 'integer', 'boolean', 'date', 'json', 'path'];

/** `{ minimum: 1 }` alone adds to the declaration. */
function saysType(schema: JsonSchema): boolean {
  return ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in schema);
}

function schemaOfShape(shape: ValueShape, node: OptionNode | ArgumentNode, canBeFalse: boolean): JsonSchema {
  switch (shape.kind) {
    case 'flag':
      return { type: 'boolean' };
    case 'counter':
      return { type: 'integer', minimum: 0 };
    case 'list': {
      const items = schemaOfValue(shape, node);
      return mustHaveElements(node) ? { type: 'array', items, minItems: 1 } : { type: 'array', items };
    }
    case 'optional':
      return { anyOf: [{ type: 'boolean' }, schemaOfValue(shape, node)] };
    case 'single':
      return canBeFalse
        ? { anyOf: [{ type: 'boolean' }, schemaOfValue(shape, node)] }
        : schemaOfValue(shape, node);
  }
}

/**
 * Choices are texts, numbers too: on a command line they are nothing else, and clients refuse enums of another type.
 * They refuse the empty text and the empty enum as well; leaving the value out stands for it.
 */
function schemaOfValue(shape: ValueShape, node: OptionNode | ArgumentNode): JsonSchema {
  if (node.argChoices) {
    const choices = [...new Set(node.argChoices.map(String))].filter((choice) => choice !== '');
    if (choices.length > 0) return { type: 'string', enum: choices };
  }
  return { type: jsonType(shape.type) };
}

/** An empty list would leave a default in force, or an argument out: it cannot be said on a command line. */
export function mustHaveElements(node: OptionNode | ArgumentNode): boolean {
  if (!('flags' in node) && node.required) return true;
  const value = node.defaultValue ?? undefined;
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

function jsonType(type: ValueType): string {
  return type === 'number' || type === 'integer' || type === 'boolean' ? type : 'string';
}

const TYPE_HINTS: Partial<Record<ValueType, string>> = {
  date: 'ISO 8601 date',
  json: 'JSON text',
  path: 'path; ~ is not expanded',
};

function toDescription(
  node: OptionNode | ArgumentNode,
  shape: ValueShape,
  described: ParameterDescription | undefined,
): string {
  const text = described?.description ? cleanText(described.description) : ownDescription(node);
  const hints = [TYPE_HINTS[shape.type] ?? placeholderHint(node), lostName(node)].filter(Boolean);
  if (hints.length === 0) return text;
  const hint = hints.join('; ');
  return text === '' ? hint : `${text} (${hint})`;
}

/** The property of `--名前` cannot tell what it is. */
function lostName(node: OptionNode | ArgumentNode): string | undefined {
  const name = 'flags' in node ? node.long : node.name();
  return name && losesLetters(name) ? name : undefined;
}

/** The property of a lone `--no-color` is `color`, but its description says what happens without. */
function ownDescription(node: OptionNode | ArgumentNode): string {
  const text = cleanText(node.description);
  return 'negate' in node && node.negate && text !== '' ? `false: ${text}` : text;
}

/** `<js|ts>` lists values for people; commander does not enforce them (B3.7). */
function placeholderHint(node: OptionNode | ArgumentNode): string | undefined {
  if (node.argChoices) return undefined;
  if ('flags' in node && !node.flags.includes('|')) return undefined;
  const placeholder = 'flags' in node ? /[<[]([^<>[\]]+)[>\]]/.exec(node.flags)?.[1] : node.name();
  return placeholder?.includes('|') ? placeholder.replace(/\.\.\.$/, '') : undefined;
}

/** Descriptions may be coloured for the terminal, and are what somebody passed: a number, perhaps. */
export function cleanText(text: string | undefined): string {
  if (!text) return '';
  const plain = String(text);
  return (CONTROLS.test(plain) ? withoutControls(plain) : plain).trim();
}

const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/;

function withoutControls(text: string): string {
  return stripVTControlCharacters(text).replaceAll(new RegExp(CONTROLS, 'g'), '');
}

/** Whether a plain schema takes the value: a default that its own schema refuses is not sent (B3.7). */
function fits(value: unknown, schema: JsonSchema): boolean {
  if (schema.anyOf) return schema.anyOf.some((each) => fits(value, each));
  if (schema.enum && !schema.enum.includes(value)) return false;
  switch (schema.type) {
    case 'array':
      return Array.isArray(value) && value.every((each) => !schema.items || fits(each, schema.items));
    case 'integer':
      return Number.isSafeInteger(value) && isWithin(value as number, schema);
    case 'number':
      // A whole number that is not exact is refused in a call, too.
      return (
        typeof value === 'number' &&
        (Number.isSafeInteger(value) || !Number.isInteger(value)) &&
        isWithin(value, schema)
      );
    default:
      return schema.type === undefined || typeof value === schema.type;
  }
}

function isWithin(value: number, { minimum = -Infinity, maximum = Infinity }: JsonSchema): boolean {
  return value >= minimum && value <= maximum;
}

const PLAIN_KEYWORDS = new Set(['type', 'enum', 'minimum', 'maximum', 'items', 'title', 'description']);

/** Whether `fits` looks at all that the schema says. */
function isPlain(schema: JsonSchema): boolean {
  return (
    Object.keys(schema).every((keyword) => PLAIN_KEYWORDS.has(keyword)) &&
    (!schema.items || isPlain(schema.items))
  );
}
