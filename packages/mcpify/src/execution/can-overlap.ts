import type { CommandNode } from '../schema/command-node.js';
import type { Invocation, RunContext } from './invocation.js';
import { separateParseState } from './parse-state.js';
import { RunningCall } from './running-call.js';

/**
 * Whether calls of this program can be kept apart: whether its commander, and what a user derives from it, keeps the
 * state of a parse where `parse-state.ts` looks for it. Tried once for each class, on a program of its own. Where a
 * future commander differs, calls run one at a time, whatever is marked `McpConcurrent`.
 */
export function canOverlap(command: CommandNode): boolean {
  return canSeparate(command) && passes(parsingClasses(command)[0]);
}

/** Whether commander itself does: a derived class may parse in a way of its own, and still leaves that state behind. */
export function canSeparate(command: CommandNode): boolean {
  return passes(parsingClasses(command).at(-1));
}

function passes(commandClass: CommandClass | undefined): boolean {
  if (!commandClass) return false;
  let passed = results.get(commandClass);
  if (passed === undefined) results.set(commandClass, (passed = passesTrial(commandClass)));
  return passed;
}

type CommandClass = new (name: string) => TrialCommand;

interface TrialCommand extends CommandNode {
  option(flags: string, description: string, defaultValue: string): unknown;
  argument(name: string): unknown;
  action(work: () => void): unknown;
  parse(argv: readonly string[], options: { from: 'user' }): unknown;
}

const results = new WeakMap<CommandClass, boolean>();

/** Those that have a `parseAsync` of their own; commander's is the last. */
function parsingClasses(command: CommandNode): readonly CommandClass[] {
  const found: CommandClass[] = [];
  let prototype = Object.getPrototypeOf(command) as { readonly constructor: unknown } | null;
  for (; prototype; prototype = Object.getPrototypeOf(prototype) as typeof prototype) {
    if (Object.hasOwn(prototype, 'parseAsync')) found.push(prototype.constructor as CommandClass);
  }
  return found;
}

/** Two calls parse one after the other; then each must still see its own values, and the declaration none. */
function passesTrial(commandClass: CommandClass): boolean {
  try {
    const program = new commandClass('trial');
    program.option('--value <text>', '', 'none');
    program.argument('[word]');
    program.action(() => {});
    separateParseState(program);
    const calls = ['a', 'b'].map((value) => {
      const call = new RunningCall(INVOCATION, CONTEXT, STEPS);
      call.run(() => program.parse([`--value=${value}`, value], { from: 'user' }));
      return { call, value };
    });
    return (
      calls.every(({ call, value }) => call.run(() => stateIs(program, value, [value], 'cli'))) &&
      stateIs(program, 'none', [], 'default')
    );
  } catch {
    return false;
  }
}

function stateIs(program: CommandNode, value: string, args: readonly string[], source: string): boolean {
  return (
    program.opts()['value'] === value &&
    program.getOptionValue('value') === value &&
    program.getOptionValueSource('value') === source &&
    program.args.join() === args.join() &&
    program.processedArgs.join() === args.join()
  );
}

const INVOCATION = { toolName: 'trial', argv: [], concurrent: true } as unknown as Invocation;
const CONTEXT = { outputBudgetBytes: 0 } as RunContext;
const STEPS = { beforeEnd: () => {}, afterEnd: () => {} };
