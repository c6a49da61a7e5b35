import type { ToolMarks } from '@mcpify/markers';

import type { CommandNode } from '../schema/command-node.js';

/** Whether a command must run as a child process (in-process.md). */
export function needsChild(command: CommandNode, marks: ToolMarks): boolean {
  // A task outlives the server. An executable subcommand is a file of its own; options that are properties cannot be kept apart by call.
  return (
    marks.isolated === true ||
    marks.longRunning !== undefined ||
    command._executableHandler === true ||
    hasOptionsAsProperties(command)
  );
}

function hasOptionsAsProperties(command: CommandNode): boolean {
  for (let level: CommandNode | null = command; level; level = level.parent) {
    if (level._storeOptionsAsProperties) return true;
  }
  return false;
}
