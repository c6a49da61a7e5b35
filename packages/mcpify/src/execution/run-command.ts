import type { CallEnd } from '../result/outcome.js';
import { displayPath, pathOf, type CommandNode } from '../schema/command-node.js';
import { canSeparate } from './can-overlap.js';
import { isCommanderError, toCommanderEnd } from './commander-error.js';
import { separateParseState } from './parse-state.js';
import { guardProgram, prepareCommand, refusalBehind } from './prepare-command.js';
import type { RunningCall } from './running-call.js';

/**
 * Runs the command of a call through commander's own parse (B4.1), and ends the call as it ends. Never rejects.
 *
 * @param findCommand gives the command, in the program that this call is to use
 */
export async function runCommand(findCommand: () => CommandNode, call: RunningCall): Promise<void> {
  let end: CallEnd;
  try {
    const program = prepare(findCommand());
    await program.parseAsync([...call.invocation.argv], { from: 'user' });
    end = { kind: 'returned', value: await call.action?.result };
  } catch (error) {
    end = toEnd(error);
  }
  if (call.pendingOutput.size > 0) await call.whenPrinted();
  call.hasSettled = true;
  call.end(end);
}

/** Finds the command of a model again in a program that was made for one call. */
export function findIn(program: CommandNode, model: CommandNode): CommandNode {
  let command = program;
  for (const level of pathOf(model).slice(1)) {
    const child = command.commands.find((each) => each.name() === level.name());
    if (!child) throw new Error(`The program made for this call has no command "${displayPath(model)}".`);
    command = child;
  }
  return command;
}

function prepare(command: CommandNode): CommandNode {
  const path = pathOf(command);
  const [program = command] = path;
  const isSeparate = canSeparate(program);
  for (const level of withDefaults(path)) {
    prepareCommand(level);
    if (isSeparate) separateParseState(level);
  }
  guardProgram(program);
  return program;
}

/** The path, and the default subcommands that commander could turn to instead. */
function withDefaults(path: readonly CommandNode[]): Iterable<CommandNode> {
  if (!path.some((level) => level._defaultCommandName)) return path;
  const commands = new Set(path);
  // A set is walked to its end also where it grows on the way.
  for (const { _defaultCommandName: name, commands: children } of commands) {
    const child = name ? children.find((each) => each.name() === name) : undefined;
    if (child) commands.add(child);
  }
  return commands;
}

function toEnd(error: unknown): CallEnd {
  try {
    const refusal = isCommanderError(error) ? error : refusalBehind(error);
    return refusal ? toCommanderEnd(refusal) : { kind: 'threw', error };
  } catch {
    // What was thrown throws itself when it is looked at (a proxy, a getter).
    return { kind: 'threw', error: new Error('The command threw a value that cannot be read.') };
  }
}
