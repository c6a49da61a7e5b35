import { isNestedTooDeep } from '../result/nesting.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type { Parameter } from '../schema/command-model.js';

/**
 * Reads a value as its parameter means it, where models err without doubt about what is meant (B3.6): `"true"` and
 * `"5"` for boolean and number, a JSON text or a single value for an array, `2` for the choice `"2"`. Nothing is lost
 * on the way. What is not one of these is returned as it came: validation refuses it.
 */
export function coerceValue(value: unknown, { schema, shape }: Parameter): unknown {
  return shape.type === 'json' ? toJsonText(value, schema) : coerce(value, schema);
}

function coerce(value: unknown, schema: JsonSchema): unknown {
  if (schema.anyOf) return coerceUnion(value, schema.anyOf);
  switch (schema.type) {
    case 'boolean':
      return toBoolean(value);
    case 'integer':
    case 'number':
      return toNumber(value);
    case 'string':
      return toChoice(value, schema.enum);
    case 'array':
      return toArray(value, schema.items);
    case 'object':
      return fromJsonText(value, '{');
    default:
      return value;
  }
}

/** `[value]` options: the text `"false"` is a text, unless only the boolean can be meant. */
function coerceUnion(value: unknown, members: readonly JsonSchema[]): unknown {
  const other = members.find((member) => member.type !== 'boolean');
  if (typeof value === 'boolean' || !other) return toBoolean(value);
  const takesText = other.enum ? other.enum.includes(value) : other.type === 'string';
  const asBoolean = takesText ? value : toBoolean(value);
  return typeof asBoolean === 'boolean' ? asBoolean : coerce(value, other);
}

function toBoolean(value: unknown): unknown {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

/** Plain decimal: `1e3`, `0x10` and `08` may be meant as texts. */
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** A double keeps so many decimal digits. */
const EXACT_DIGITS = 15;

function toNumber(value: unknown): unknown {
  if (typeof value !== 'string' || !DECIMAL.test(value)) return value;
  const number = Number(value);
  const isExact = Number.isSafeInteger(number) || value.replaceAll(/\D/g, '').length <= EXACT_DIGITS;
  return isExact ? number : value;
}

function toChoice(value: unknown, choices: readonly unknown[] | undefined): unknown {
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  return isScalar && choices?.includes(String(value)) ? String(value) : value;
}

function toArray(value: unknown, items: JsonSchema | undefined): unknown {
  const list = fromJsonText(value, '[');
  const array = Array.isArray(list) || typeof list === 'object' ? list : [list];
  return Array.isArray(array) && items ? array.map((each: unknown) => coerce(each, items)) : array;
}

/** The value that a JSON text stands for, where it begins as one and is one. */
function fromJsonText(value: unknown, bracket: '[' | '{'): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith(bracket)) return value;
  try {
    const json = JSON.parse(value) as unknown;
    // As deep as no request may be: it stays the text that it was sent as.
    return isNestedTooDeep(json) ? value : json;
  } catch {
    return value;
  }
}

/** A parameter of type `json` takes JSON text; models send the value itself. */
function toJsonText(value: unknown, schema: JsonSchema): unknown {
  if (schema.type === 'array') {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    return list.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
  }
  return schema.type === 'string' && typeof value !== 'string' ? JSON.stringify(value) : value;
}
