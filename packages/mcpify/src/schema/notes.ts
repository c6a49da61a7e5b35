import type { Parameter } from './command-model.js';
import type { ArgumentNode, OptionNode } from './command-node.js';
import { defaultText } from './default-value.js';

/** What the schema cannot say, in few words: every one costs tokens in every conversation (B2.4). */
export function toNotes(parameters: readonly Parameter[]): readonly string[] {
  return parameters.some(needsNote) || isGapPossible(parameters) ? allNotes(parameters) : NONE;
}

const NONE: readonly string[] = [];

function needsNote({ target }: Parameter): boolean {
  if (target.kind !== 'option') {
    return target.kind === 'argument' && hasDefaultNote(target.argument);
  }
  const { envVar, conflictsWith, implied } = target.option;
  return (
    envVar !== undefined ||
    hasDefaultNote(target.option) ||
    (conflictsWith !== undefined && conflictsWith.length > 0) ||
    (implied !== undefined && implied !== null)
  );
}

function hasDefaultNote(node: OptionNode | ArgumentNode): boolean {
  return node.defaultValueDescription !== undefined || typeof node.defaultValue === 'number';
}

function isGapPossible(parameters: readonly Parameter[]): boolean {
  let optional = 0;
  for (const { target, required } of parameters) {
    if (target.kind === 'argument' && !required) optional += 1;
  }
  return optional > 1;
}

function allNotes(parameters: readonly Parameter[]): readonly string[] {
  const byAttribute = new Map<string, string>();
  for (const { property, target } of parameters) {
    if (target.kind === 'option') byAttribute.set(target.attribute, property);
  }
  return [
    environmentNote(parameters),
    ...conflictNotes(parameters, byAttribute),
    ...impliedNotes(parameters, byAttribute),
    ...parameters.flatMap(defaultNote),
    ...gapNote(parameters),
  ].filter((note) => note !== undefined);
}

function environmentNote(parameters: readonly Parameter[]): string | undefined {
  const names = parameters.flatMap(({ property, target }) => {
    if (target.kind !== 'option') return [];
    const { envVar } = target.option;
    return envVar ? [`${envVar} (${property})`] : [];
  });
  return names.length === 0 ? undefined : `Environment variables: ${names.join(', ')}.`;
}

function conflictNotes(
  parameters: readonly Parameter[],
  byAttribute: ReadonlyMap<string, string>,
): readonly string[] {
  const pairs = new Map<string, string>();
  for (const { property, target } of parameters) {
    if (target.kind !== 'option') continue;
    for (const attribute of target.option.conflictsWith ?? []) {
      const other = byAttribute.get(attribute);
      if (!other || other === property) continue;
      const [first, second] = [property, other].sort();
      pairs.set(`${first} ${second}`, `Not together: ${property}, ${other}.`);
    }
  }
  return [...pairs.values()];
}

function impliedNotes(
  parameters: readonly Parameter[],
  byAttribute: ReadonlyMap<string, string>,
): readonly string[] {
  return parameters.flatMap(({ property, secret, target }) => {
    if (target.kind !== 'option' || secret) return [];
    const implied = Object.entries(target.option.implied ?? {}).flatMap(([attribute, value]) => {
      const name = byAttribute.get(attribute);
      const text = typeof value === 'object' && value !== null ? undefined : String(value);
      const isSecret = parameters.some((each) => each.property === name && each.secret);
      return name && text !== undefined && !isSecret ? [`${name}=${text}`] : [];
    });
    return implied.length === 0 ? [] : [`${property} implies ${implied.join(', ')}.`];
  });
}

function defaultNote({ property, schema, secret, target }: Parameter): readonly string[] {
  if (secret || schema.default !== undefined) return [];
  if (target.kind === 'excess' || target.kind === 'own') return [];
  const node = target.kind === 'option' ? target.option : target.argument;
  const text = defaultText(node) ?? numberText(node);
  return text === undefined ? [] : [`Default of ${property}: ${text}.`];
}

/** Choices are texts (value-schema.ts): a number among them is no default of theirs. */
function numberText({ defaultValue }: OptionNode | ArgumentNode): string | undefined {
  return typeof defaultValue === 'number' && Number.isFinite(defaultValue) ? String(defaultValue) : undefined;
}

/** B3.3: positionals have no names on a command line, so one that is left out shifts the rest. */
function gapNote(parameters: readonly Parameter[]): readonly string[] {
  const optional = parameters.filter(({ target, required }) => target.kind === 'argument' && !required);
  return optional.slice(1).map(({ property }, index) => `${property} needs ${optional[index]?.property}.`);
}
