import type { OptionCache, RememberedValue } from '../session/option-cache.js';
import type { CommandModel, Parameter, ValueShape } from '../schema/command-model.js';

/**
 * The values that a call takes from its session, by property: those of options that it does not give itself, and that
 * are of the same kind as where the value was set (B7.1). A remembered value that commander would refuse beside one
 * that the call gives, or beside a newer remembered one, gives way.
 */
export function takeFromSession(
  { parameters }: CommandModel,
  given: ReadonlyMap<string, unknown>,
  cache: OptionCache,
): ReadonlyMap<string, RememberedValue> {
  const taken = new Map<string, RememberedValue>();
  if (!cache.hasBeside(given)) return taken;
  const present = parameters.filter(({ property }) => given.has(property));
  for (const [property, remembered] of cache.entries().toReversed()) {
    const parameter = parameters.find((each) => each.property === property);
    if (!parameter?.cacheable || given.has(property) || !isSameKind(parameter.shape, remembered.shape))
      continue;
    if (present.some((other) => excludeEachOther(parameter, other))) continue;
    present.push(parameter);
    taken.set(property, remembered);
  }
  return taken;
}

/** Types whose values are of one kind: whether a value fits is its schema's to say. */
const FAMILIES: Partial<Record<ValueShape['type'], string>> = { integer: 'number', path: 'string' };

function isSameKind(one: ValueShape, other: ValueShape): boolean {
  return one.kind === other.kind && familyOf(one) === familyOf(other);
}

function familyOf({ type }: ValueShape): string {
  return FAMILIES[type] ?? type;
}

function excludeEachOther(one: Parameter, other: Parameter): boolean {
  return conflictsWith(one, other) || conflictsWith(other, one);
}

function conflictsWith({ target }: Parameter, { target: other }: Parameter): boolean {
  if (target.kind !== 'option' || other.kind !== 'option') return false;
  return target.option.conflictsWith?.includes(other.attribute) === true;
}
