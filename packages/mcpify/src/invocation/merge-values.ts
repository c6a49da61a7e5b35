import type { CommandModel, Parameter } from '../schema/command-model.js';
import type { RememberedValue } from '../session/option-cache.js';
import { coerceValue } from './coerce-value.js';

export interface OperatorValues {
  readonly pinnedValues: Readonly<Record<string, unknown>>;
  readonly defaultValues: Readonly<Record<string, unknown>>;
}

/**
 * The values of one run by property, coerced. A pinned value always wins, then comes the call, then the session, then
 * the operator's default (decision 7); environment and commander's defaults are left to commander's own parse.
 */
export function mergeValues(
  { parameters }: Pick<CommandModel, 'parameters'>,
  given: ReadonlyMap<string, unknown>,
  remembered: ReadonlyMap<string, RememberedValue> | undefined,
  operator: OperatorValues,
): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const parameter of parameters) {
    const value = pick(parameter, given, remembered, operator);
    if (value !== undefined && value !== null) values.set(parameter.property, coerceValue(value, parameter));
  }
  return values;
}

function pick(
  { property, pinned }: Parameter,
  given: ReadonlyMap<string, unknown>,
  remembered: ReadonlyMap<string, RememberedValue> | undefined,
  operator: OperatorValues,
) {
  if (pinned) return operator.pinnedValues[property];
  if (given.has(property)) return given.get(property);
  const kept = remembered?.get(property);
  if (kept) return kept.value;
  const { defaultValues } = operator;
  return Object.hasOwn(defaultValues, property) ? defaultValues[property] : undefined;
}
