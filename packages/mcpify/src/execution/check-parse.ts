import type { Outcome } from '../result/outcome.js';
import type { CommandNode } from '../schema/command-node.js';
import { pathOf } from '../schema/command-node.js';
import { canOverlap } from './can-overlap.js';
import type { Executor, Invocation, RunContext } from './invocation.js';

const AS_ASKED = 'mcpify: parsed as asked for';

/**
 * Lets commander parse the argv of a child here, up to its action: what it refuses, or reads otherwise than it was
 * asked for (argv.md rule 13), is told at once and in the same words as for commands that run here.
 *
 * @param executor runs commands in this process
 * @returns how the child would have ended before its action; undefined where nothing is in its way, or where the
 *   parse would do more than parse
 */
export async function checkParse(
  executor: Executor,
  invocation: Invocation,
  context: RunContext,
): Promise<Outcome | undefined> {
  if (!canParseHere(invocation.command)) return undefined;
  const { findMismatch } = invocation;
  const outcome = await executor.run(
    // The guard's own way to stop before every hook and action of the user's.
    { ...invocation, concurrent: true, findMismatch: (command) => findMismatch(command) ?? AS_ASKED },
    { ...context, log: () => {}, progress: () => {} },
  );
  const { end } = outcome;
  return end.kind === 'refused' && end.message === AS_ASKED ? undefined : outcome;
}

/** Hooks before the guard are the user's code; a parse that cannot overlap would wait for whatever runs. */
function canParseHere(command: CommandNode): boolean {
  const path = pathOf(command);
  const isParsedOnly =
    !command._executableHandler &&
    path.every(
      (level) => !level._storeOptionsAsProperties && !level._lifeCycleHooks?.['preSubcommand']?.length,
    );
  return isParsedOnly && canOverlap(command);
}
