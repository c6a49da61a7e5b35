import type { Parameter } from '../schema/command-model.js';
import { nearestNames } from '../schema/nearest-names.js';
import type { Problem } from './problem.js';

export interface ResolvedKeys {
  /** By property; `null` and `undefined` are left out. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly problems: readonly Problem[];
}

/**
 * Finds the parameter of each key: its own name, commander's (`2faCode`, which is no name for all clients), or the
 * flag's spelling (`--dry-run`, `dry-run`). `null` means "not
 * given" (B3.6). Every other key is refused with the nearest known name.
 */
export function resolveKeys(
  toolArguments: Readonly<Record<string, unknown>>,
  parameters: readonly Parameter[],
): ResolvedKeys {
  const values = new Map<string, unknown>();
  const spelled: [key: string, value: unknown][] = [];
  const known = propertiesOf(parameters);
  for (const key of Object.keys(toolArguments)) {
    const value = toolArguments[key];
    if (!known.has(key)) spelled.push([key, value]);
    else if (value !== null && value !== undefined) values.set(key, value);
  }
  const problems: Problem[] = [];
  for (const [key, value] of spelled) {
    const match = findSpelling(key, value, parameters);
    if (!match) problems.push({ message: unknownKey(key, parameters, problems.length) });
    else if (value === null || value === undefined) continue;
    else if (values.has(match.property)) problems.push(givenTwice(key, match.property));
    else values.set(match.property, match.value);
  }
  return { values, problems };
}

/** Once a tool: its parameters are the same list for each call. */
function propertiesOf(parameters: readonly Parameter[]): ReadonlySet<string> {
  let known = properties.get(parameters);
  if (!known) properties.set(parameters, (known = new Set(parameters.map(({ property }) => property))));
  return known;
}

const properties = new WeakMap<readonly Parameter[], ReadonlySet<string>>();

interface Match {
  readonly property: string;
  readonly value: unknown;
}

function findSpelling(key: string, value: unknown, parameters: readonly Parameter[]): Match | undefined {
  for (const { property, target } of parameters) {
    if (target.kind === 'argument' && target.argument.name() === key) return { property, value };
    if (target.kind !== 'option') continue;
    const { option, negation, attribute } = target;
    if (key === attribute) return { property, value };
    if (!option.negate && isSpelling(key, option)) return { property, value };
    const negative = option.negate ? option : negation;
    if (!negative || !isSpelling(key, negative)) continue;
    // `{ "--no-color": true }` asks for `color: false`.
    return { property, value: negated(value) };
  }
  return undefined;
}

function isSpelling(key: string, { long, short }: { long?: string | undefined; short?: string | undefined }) {
  return key === long || key === short || (long !== undefined && `--${key}` === long);
}

function negated(value: unknown): unknown {
  if (value === true || value === 'true') return false;
  return value === false || value === 'false' ? true : value;
}

const LONGEST_KEY = 60;
const MOST_NAMES = 40;

/** The search for near names costs time: a call with thousands of wrong keys gets it for the first ones only. */
const MOST_SEARCHES = 20;

function unknownKey(key: string, parameters: readonly Parameter[], problemsBefore: number): string {
  const shown = JSON.stringify(key.length > LONGEST_KEY ? `${key.slice(0, LONGEST_KEY)}…` : key);
  const names = parameters.map(({ property }) => property);
  if (names.length === 0) return `Unknown parameter ${shown}: this tool takes none.`;
  const near = problemsBefore < MOST_SEARCHES ? nearestNames(key, names) : [];
  if (near.length > 0) return `Unknown parameter ${shown}. Did you mean ${near.join(' or ')}?`;
  const more = names.length > MOST_NAMES ? ', …' : '';
  return `Unknown parameter ${shown}. Known: ${names.slice(0, MOST_NAMES).join(', ')}${more}.`;
}

function givenTwice(key: string, property: string): Problem {
  return {
    property,
    message: `${JSON.stringify(key)} and "${property}" are the same parameter: send it once.`,
  };
}
