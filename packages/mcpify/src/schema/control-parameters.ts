import { UsageError } from '../errors/usage-error.js';
import type { Control, ControlNames, Parameter, ValueShape } from './command-model.js';
import { displayPath, type CommandNode } from './command-node.js';
import type { JsonSchema } from './json-schema.js';

export interface ControlFacts {
  /** Those that make sense for the command; of the session's only where it has something to remember. */
  readonly wanted: readonly Control[];
  /** Other names, or `false`: left out (`McpOptions.controlParams`). */
  readonly renamed: Readonly<Partial<Record<Control, string | false>>>;
  /** Properties whose values the operator fixed. */
  readonly pinned: ReadonlySet<string>;
}

/** What a command has of its own. */
export interface OwnParameters {
  readonly parameters: readonly Parameter[];
  /** Whether the session remembers any of them. */
  readonly remembers: boolean;
  readonly command: CommandNode;
}

/** The control parameters of one tool, and their names. */
export interface ControlParameters {
  readonly parameters: readonly Parameter[];
  readonly names: ControlNames;
}

/** Every word here is in every conversation (B2.4). */
const SCHEMAS: Readonly<Record<Control, JsonSchema>> = {
  background: { type: 'boolean', default: true, description: 'false: wait for the end' },
  debug: { type: 'boolean' },
  nocache: { type: 'boolean' },
  session: { type: 'string', description: '"new" or its handle' },
};

const SHAPES: Readonly<Record<Control, ValueShape>> = {
  background: { kind: 'flag', type: 'boolean' },
  debug: { kind: 'flag', type: 'boolean' },
  nocache: { kind: 'flag', type: 'boolean' },
  session: { kind: 'single', type: 'string' },
};

/** Where no option can be remembered they have no sense. */
const OF_CACHE = new Set<Control>(['nocache', 'session']);

/**
 * Gives tools their control parameters. A command's own options keep their names: where one is called so, the control
 * parameter has the prefix `mcp`.
 *
 * @returns takes what a command has of its own; throws UsageError `DUPLICATE_PROPERTY` where both names are taken
 */
export function createControls(facts: ControlFacts): (own: OwnParameters) => ControlParameters {
  const { wanted, renamed } = facts;
  const names = wanted.map((control) => renamed[control] ?? control).filter((name) => name !== false);
  const usual = new Set(names);
  const isUsual = usual.size === names.length;
  // Few commands have a parameter of such a name: all others are given the same ones.
  const shared: { remembering?: ControlParameters; other?: ControlParameters } = {};
  return (own) => {
    if (!isUsual || own.parameters.some(({ property }) => usual.has(property)))
      return nameControls(facts, own);
    if (own.remembers) return (shared.remembering ??= nameControls(facts, own));
    return (shared.other ??= nameControls(facts, own));
  };
}

function nameControls(
  { wanted, renamed, pinned }: ControlFacts,
  { parameters: own, remembers, command }: OwnParameters,
): ControlParameters {
  const names: Partial<Record<Control, string>> = {};
  const parameters: Parameter[] = [];
  const taken = new Set(own.map(({ property }) => property));
  for (const control of wanted) {
    const name = renamed[control] ?? control;
    if (name === false || (OF_CACHE.has(control) && !remembers)) continue;
    const property = taken.has(name) ? `mcp${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
    if (taken.has(property)) throw isTaken(control, name, property, displayPath(command));
    taken.add(property);
    names[control] = property;
    parameters.push({
      property,
      schema: SCHEMAS[control],
      required: false,
      secret: false,
      pinned: pinned.has(property),
      cacheable: false,
      shape: SHAPES[control],
      target: { kind: 'own' },
    });
  }
  return { parameters, names };
}

function isTaken(control: Control, name: string, property: string, path: string): UsageError {
  return new UsageError(
    'DUPLICATE_PROPERTY',
    `Command "${path}" has parameters called both "${name}" and "${property}", which mcpify's own parameter ` +
      `"${control}" would be called. Give that another name, or leave it out: ` +
      `controlParams: { ${control}: 'another name' } or { ${control}: false }.`,
  );
}
