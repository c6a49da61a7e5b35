import type { ToolMarks } from '@mcpify/markers';

import type { Settings } from '../options/mcp-options.js';
import { pathOf, type CommandNode } from '../schema/command-node.js';
import type { TaskFacts } from '../tools/run-in-background.js';

/** What a command's task is, but for what each call brings; undefined where it does not run in the background. */
export function toTaskFacts(
  command: CommandNode,
  { longRunning, exitCodes = [], idempotent }: ToolMarks,
  entry: string,
  { cwd, tasks }: Settings,
): TaskFacts | undefined {
  if (!longRunning) return undefined;
  return {
    commandPath: pathOf(command)
      .slice(1)
      .map((level) => level.name()),
    entry,
    cwd,
    timeoutMs: longRunning.timeoutMs,
    exitCodes,
    leftovers: longRunning.leftovers ?? 'kill',
    tie: tasks.onServerExit === 'cancel',
    idempotent: idempotent === true,
  };
}
