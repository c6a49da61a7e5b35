import { UsageError } from '../errors/usage-error.js';
import { toAsciiLetters } from '../schema/ascii-letters.js';
import { displayPath, type CommandNode } from '../schema/command-node.js';

const TOOL_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/**
 * The tool name of a command (decision 4): the whole path without the program's name, joined by `_`; a program that
 * is itself the command has its own name.
 *
 * @param markedName the name that the author chose; taken as it is
 * @returns undefined where the path holds nothing that a name can be made of (B3.7)
 * @throws UsageError `INVALID_TOOL_NAME`
 */
export function toolName(command: CommandNode, markedName: string | undefined): string | undefined {
  const name = markedName ?? nameOfPath(command);
  if (name === undefined || TOOL_NAME.test(name)) return name;
  throw new UsageError(
    'INVALID_TOOL_NAME',
    `Command "${displayPath(command)}" gives the tool name "${name}", which MCP clients refuse. ` +
      "Set one of 1 to 64 letters, digits and '_', not starting with a digit: McpTool({ name: '…' }).",
  );
}

function nameOfPath(command: CommandNode): string | undefined {
  let name = toNamePart(command);
  for (let level = command.parent; level?.parent; level = level.parent) name = `${toNamePart(level)}_${name}`;
  if (!/[A-Za-z0-9]/.test(name)) return undefined;
  return /^[0-9]/.test(name) ? `_${name}` : name;
}

function toNamePart(level: CommandNode): string {
  return toAsciiLetters(level.name()).replaceAll(/[^A-Za-z0-9_]/g, '_');
}
