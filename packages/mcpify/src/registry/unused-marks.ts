import { displayPath } from '../schema/command-node.js';
import type { MarkedCommand } from './collect-commands.js';

/** Marks that are kept without effect, one line each: an author who counts on one should know at start. */
export function unusedMarks(marked: Iterable<MarkedCommand>): readonly string[] {
  const warnings: string[] = [];
  for (const { command, marks } of marked) {
    const tell = (mark: string, why: string) => {
      warnings.push(`Command "${displayPath(command)}": ${mark} has no effect ${why}.`);
    };
    if (marks.longRunning && marks.output) {
      tell('McpOutput', 'beside McpLongRunning, whose answer is the id of a task');
    }
  }
  return warnings;
}
