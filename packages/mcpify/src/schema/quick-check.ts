import type { JsonSchema } from './json-schema.js';

/** True where a value is right. False says nothing yet: the validator is to tell what is wrong, if anything is. */
export type QuickCheck = (value: unknown) => boolean;

/**
 * A check for schemas of the plain form that most tools have, with the verdict of the full validator at a twentieth of
 * its cost. It tells no problems: a value that it does not take is for the validator.
 *
 * @returns undefined where the schema holds a keyword that is not looked at here
 */
export function createQuickCheck(schema: JsonSchema): QuickCheck | undefined {
  if (!isSound(schema) || !Object.keys(schema).every((keyword) => READ.has(keyword))) return undefined;
  const ofType = checkOfType(schema);
  const { enum: choices } = schema;
  if (!ofType || !choices) return ofType;
  return (value) => ofType(value) && choices.includes(value);
}

/** Those that say nothing about the value, and those that are checked. */
const READ = new Set([
  'title',
  'description',
  'default',
  'examples',
  'type',
  'enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
]);

/** What an author has written may be of any form: the validator tells that it is broken. */
function isSound(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { enum: choices = [], required = [], properties = {}, minItems = 0 } = schema as JsonSchema;
  const areLists = Array.isArray(choices) && Array.isArray(required);
  return areLists && typeof properties === 'object' && properties !== null && typeof minItems === 'number';
}

/** Each with the further keywords that concern it: those of other types do not stand there. */
function checkOfType(schema: JsonSchema): QuickCheck | undefined {
  switch (schema.type) {
    case 'object':
      return checkOfObject(schema);
    case 'array':
      return checkOfArray(schema);
    case 'string':
      return (value) => typeof value === 'string';
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'number':
      return Number.isFinite;
    case 'integer':
      return Number.isInteger;
    default:
      return undefined;
  }
}

function checkOfArray({ items, minItems = 0 }: JsonSchema): QuickCheck | undefined {
  const ofItem = items && createQuickCheck(items);
  if (!ofItem) return undefined;
  return (value) => Array.isArray(value) && value.length >= minItems && value.every(ofItem);
}

function checkOfObject({ properties = {}, required = [] }: JsonSchema): QuickCheck | undefined {
  const checks = new Map<string, QuickCheck>();
  for (const [name, schema] of Object.entries(properties)) {
    const check = createQuickCheck(schema);
    if (!check) return undefined;
    checks.set(name, check);
  }
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const members = value as Readonly<Record<string, unknown>>;
    // Whether further members are right is not looked at.
    for (const name of Object.keys(members)) if (!checks.get(name)?.(members[name])) return false;
    return required.every((name) => Object.hasOwn(members, name));
  };
}
