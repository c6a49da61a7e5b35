import type { ArgumentNode, CommandNode, OptionNode } from '../schema/command-node.js';
import { currentCall, type RunningCall } from './running-call.js';

/**
 * What commander keeps on a Command while it parses (12 to 15; `_savedState` from 13). Each call has its own, so that
 * no value of one reaches another, also where they overlap (decision 8; in-process.md, A3).
 */
const SLOTS = [
  '_optionValues',
  '_optionValueSources',
  'args',
  'rawArgs',
  'processedArgs',
  '_scriptPath',
  '_savedState',
  '_name',
  'runningCommand',
] as const;

type State = Record<string, unknown>;

/** Makes the parse state of a command each call's own. Once a command; outside of calls it behaves as before. */
export function separateParseState(command: CommandNode): void {
  const known = separatedCommands.get(command);
  const separatedCommand = known ?? { state: claimSlots(command), declared: 0 };
  if (!known) separatedCommands.set(command, separatedCommand);
  // Something may have been added since.
  const declared = command.options.length + command.registeredArguments.length;
  if (separatedCommand.declared === declared) return;
  separatedCommand.declared = declared;
  command.options.forEach(separateDefault);
  command.registeredArguments.forEach(separateDefault);
}

interface SeparatedCommand {
  /** What is seen outside of calls. */
  readonly state: State;
  /** How many options and arguments were looked at. */
  declared: number;
}

const separatedCommands = new WeakMap<CommandNode, SeparatedCommand>();

function claimSlots(command: CommandNode): State {
  const state: State = {};
  for (const slot of SLOTS) {
    if (!(slot in command)) continue;
    state[slot] = (command as unknown as State)[slot];
    Object.defineProperty(command, slot, ACCESSORS[slot]);
  }
  return state;
}

const ACCESSORS = Object.fromEntries(SLOTS.map((slot) => [slot, accessorOf(slot)])) as Readonly<
  Record<(typeof SLOTS)[number], PropertyDescriptor>
>;

function accessorOf(slot: string): PropertyDescriptor {
  return {
    configurable: true,
    enumerable: true,
    get(this: CommandNode) {
      return stateOf(this)[slot];
    },
    set(this: CommandNode, value: unknown) {
      stateOf(this)[slot] = value;
    },
  };
}

function stateOf(command: CommandNode): State {
  const call = currentCall();
  if (!call) return sharedState(command);
  let state = call.parseStates.get(command);
  if (!state) call.parseStates.set(command, (state = freshState(sharedState(command), call)));
  return state;
}

function sharedState(command: CommandNode): State {
  return separatedCommands.get(command)?.state ?? {};
}

/** As the command was declared, whatever was parsed outside of calls before. */
function freshState(shared: State, call: RunningCall): State {
  const saved = shared['_savedState'] as State | null | undefined;
  const values = { ...((saved?.['_optionValues'] ?? shared['_optionValues']) as State) };
  for (const name in values) {
    const value = values[name];
    if (typeof value === 'object' && value !== null && separated.has(value)) {
      values[name] = ownCopy(call, value);
    }
  }
  // All of one form, which the engine knows: slots that this commander does not have are never asked for.
  return {
    _optionValues: values,
    _optionValueSources: { ...((saved?.['_optionValueSources'] ?? shared['_optionValueSources']) as State) },
    args: [],
    rawArgs: [],
    processedArgs: [],
    _scriptPath: shared['_scriptPath'],
    _savedState: null,
    _name: saved?.['_name'] ?? shared['_name'],
    runningCommand: undefined,
  } satisfies Record<(typeof SLOTS)[number], unknown>;
}

/** Defaults that calls have copies of. */
const separated = new WeakSet<object>();

/**
 * A collecting parser may push to the default itself, and so may an action. The declaration shows each call the copy
 * that its values hold: commander compares the two to see whether a list is still the default.
 */
function separateDefault(node: OptionNode | ArgumentNode): void {
  const described = Object.getOwnPropertyDescriptor(node, 'defaultValue');
  const value: unknown = described?.value;
  if (!described?.configurable || !isCopied(value)) return;
  separated.add(value);
  let shared: unknown = value;
  Object.defineProperty(node, 'defaultValue', {
    configurable: true,
    enumerable: true,
    get() {
      const call = currentCall();
      return call && shared === value ? ownCopy(call, value) : shared;
    },
    set(next: unknown) {
      shared = next;
    },
  });
}

function ownCopy(call: RunningCall, value: object): unknown {
  const known = call.defaults.get(value);
  if (known !== undefined) return known;
  const copy = copyOf(value);
  call.defaults.set(value, copy);
  return copy;
}

function isCopied(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value) || value instanceof Map || value instanceof Set) return true;
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || prototype === Object.prototype;
}

/** A default that is nested deeper, or in itself, is shared from there on. */
const DEEPEST_COPY = 8;

/** Lists and plain objects are copied; what has a class of its own is shared, as commander shares it. */
function copyOf(value: unknown, depth = 0): unknown {
  if (!isCopied(value) || depth > DEEPEST_COPY) return value;
  if (Array.isArray(value)) return value.map((each) => copyOf(each, depth + 1));
  if (value instanceof Map) return new Map(value);
  if (value instanceof Set) return new Set(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOf(each, depth + 1)]));
}
