import { UsageError } from '../errors/usage-error.js';
import { displayPath, type CommandNode } from '../schema/command-node.js';
import type { MarkedCommand } from './collect-commands.js';
import { toolName } from './tool-name.js';

/**
 * Gives every marked command its tool name, before anything is made of it: a name that two of them have is told
 * whatever else is wrong with either, and so are all the others.
 *
 * @returns by name, in the order of declaration; and why commands are left out (B3.7)
 * @throws UsageError `INVALID_TOOL_NAME`, `RESERVED_NAME`, `DUPLICATE_TOOL`; `NO_TOOLS` where all are left out
 */
export function nameTools(marked: readonly MarkedCommand[]): {
  readonly named: ReadonlyMap<string, MarkedCommand>;
  readonly skipped: readonly string[];
} {
  const named = new Map<string, MarkedCommand>();
  const skipped: string[] = [];
  const collisions: string[] = [];
  for (const entry of marked) {
    const { command, marks } = entry;
    const name = toolName(command, marks.tool?.name);
    if (name === undefined) {
      skipped.push(cannotBeNamed(command));
      continue;
    }
    if (RESERVED.has(name)) throw reserved(name, command);
    const other = named.get(name);
    if (other) collisions.push(collision(name, other.command, command));
    else named.set(name, entry);
  }
  if (collisions.length > 0) {
    throw new UsageError('DUPLICATE_TOOL', `${collisions.join(' ')} ${WAY_OUT}`);
  }
  if (named.size === 0) throw new UsageError('NO_TOOLS', `There is no tool to serve. ${skipped.join(' ')}`);
  return { named, skipped };
}

const WAY_OUT = "Set another name: McpTool({ name: '…' }).";

/** Names of tools that the framework itself has, or will have as soon as a command needs them (B2.2). */
/** Names of the tools that mcpify adds itself. */
export const RESERVED = new Set(['task_status', 'task_result', 'task_cancel', 'cache_show', 'cache_clear']);

function reserved(name: string, command: CommandNode): UsageError {
  return new UsageError(
    'RESERVED_NAME',
    `Command "${displayPath(command)}" gives the tool name "${name}", which mcpify uses itself. ${WAY_OUT}`,
  );
}

function collision(name: string, first: CommandNode, second: CommandNode): string {
  return `Commands "${displayPath(first)}" and "${displayPath(second)}" both give the tool name "${name}".`;
}

function cannotBeNamed(command: CommandNode): string {
  return (
    `Command "${displayPath(command)}" is skipped: nothing in its name can be a tool name. ` +
    "Set one: McpTool({ name: '…' })."
  );
}
