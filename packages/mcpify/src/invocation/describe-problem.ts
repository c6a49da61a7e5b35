import type { JsonSchema } from '../schema/json-schema.js';
import type { Parameter } from '../schema/command-model.js';
import { nearestNames } from '../schema/nearest-names.js';

/**
 * `"port" must be an integer; you sent "abc".` The value of a secret is never repeated.
 *
 * @param index of the array's element that is wrong, where it is one
 */
export function describeProblem(
  { property, schema, secret, target }: Parameter,
  value: unknown,
  index?: number,
): string {
  const isElement = index !== undefined && Array.isArray(value) && schema.items !== undefined;
  const name = isElement ? `${property}[${index}]` : property;
  const wanted = isElement ? (schema.items ?? {}) : schema;
  const sent: unknown = isElement ? (value as unknown[])[index] : value;
  const near = secret ? undefined : nearestChoice(wanted, sent);
  const hint = near === undefined ? aboutEmptyList(sent, target) : ` Did you mean ${JSON.stringify(near)}?`;
  return `"${name}" must be ${describeSchema(wanted)}; ${describeSent(sent, secret)}.${hint}`;
}

/** No command line can say an empty list where there is a default (argv.md, rules 4 and 10). */
function aboutEmptyList(sent: unknown, target: Parameter['target']): string {
  if (!Array.isArray(sent) || sent.length > 0) return '';
  const node = target.kind === 'option' ? target.option : target.kind === 'argument' && target.argument;
  const hasDefault = node && (node.defaultValue ?? undefined) !== undefined;
  return hasDefault ? ' Its default cannot be emptied: send one element at least, or leave it out.' : '';
}

/** `you sent "abc"`; of a secret no more than its kind. */
export function describeSent(value: unknown, secret: boolean): string {
  return `you sent ${secret ? kindOf(value) : show(value)}`;
}

export function describeMissing({ property, schema, cacheable }: Parameter): string {
  const about = typeof schema.description === 'string' ? ` (${schema.description})` : '';
  const inSession = cacheable ? ', and the session does not give it' : '';
  return `Missing parameter "${property}"${about}: it is required${inSession}.`;
}

/** The value itself is the operator's, not the model's to know. */
export function describePinned({ property }: Parameter): string {
  return `The value that this server's operator fixed for "${property}" does not fit it: only the operator can mend this.`;
}

/** A value as JSON, shortened. */
export function show(value: unknown): string {
  const short = typeof value === 'string' ? value.slice(0, LONGEST_VALUE + 1) : value;
  const text = JSON.stringify(short) ?? String(value);
  if (text.length <= LONGEST_VALUE) return text;
  return `${text.slice(0, LONGEST_VALUE).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const LONGEST_VALUE = 100;

/** More choices than this are not listed; the tool's schema has them all. */
const MOST_CHOICES = 30;

/** `one of "a", "b"`, `an integer of at least 1`. */
export function describeSchema(schema: JsonSchema): string {
  if (schema.anyOf) return schema.anyOf.map(describeSchema).join(' or ');
  if (schema.enum) return describeChoices(schema.enum);
  switch (schema.type) {
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `an integer${limits(schema)}`;
    case 'number':
      return `a number${limits(schema)}`;
    case 'string':
      return `a text${textRules(schema)}`;
    case 'array':
      return describeArray(schema);
    default:
      return `${schema.type === 'object' ? 'an object' : 'a value'} that matches ${JSON.stringify(schema)}`;
  }
}

function describeChoices(choices: readonly unknown[]): string {
  const shown = choices.slice(0, MOST_CHOICES).map((choice) => JSON.stringify(choice));
  return `one of ${shown.join(', ')}${choices.length > MOST_CHOICES ? ', …' : ''}`;
}

function nearestChoice(schema: JsonSchema, value: unknown): string | undefined {
  const choices = (schema.enum ?? schema.anyOf?.find((each) => each.enum)?.enum ?? []).filter(
    (choice) => typeof choice === 'string',
  );
  return typeof value === 'string' ? nearestNames(value, choices)[0] : undefined;
}

function limits(schema: JsonSchema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const rules = [
    minimum !== undefined && `of at least ${minimum}`,
    exclusiveMinimum !== undefined && `above ${String(exclusiveMinimum)}`,
    maximum !== undefined && `of at most ${maximum}`,
    exclusiveMaximum !== undefined && `below ${String(exclusiveMaximum)}`,
    multipleOf !== undefined && `that is a multiple of ${String(multipleOf)}`,
  ];
  return joined(rules);
}

function textRules({ pattern, minLength, maxLength, format }: JsonSchema): string {
  return joined([
    pattern !== undefined && `matching /${String(pattern)}/`,
    minLength !== undefined && `of at least ${String(minLength)} characters`,
    maxLength !== undefined && `of at most ${String(maxLength)} characters`,
    format !== undefined && `in the format "${String(format)}"`,
  ]);
}

function describeArray({ items, minItems, maxItems, uniqueItems }: JsonSchema): string {
  const rules = joined([
    minItems !== undefined && `of at least ${minItems} element${minItems === 1 ? '' : 's'}`,
    maxItems !== undefined && `of at most ${String(maxItems)} elements`,
    uniqueItems === true && 'without repetition',
  ]);
  return `an array${rules}${items ? `, each ${describeSchema(items)}` : ''}`;
}

function joined(rules: readonly (string | false)[]): string {
  const said = rules.filter((rule) => rule !== false);
  return said.length === 0 ? '' : ` ${said.join(', ')}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
