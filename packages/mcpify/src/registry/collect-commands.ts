import { descriptionOf, marksOf, type ToolMarks } from '@mcpify/markers';

import { UsageError } from '../errors/usage-error.js';
import { refuseUnknown } from '../options/refuse-unknown.js';
import { displayPath, type CommandNode } from '../schema/command-node.js';
import { checkMarks } from './check-marks.js';

export interface MarkedCommand {
  readonly command: CommandNode;
  readonly marks: ToolMarks;
}

/**
 * Every command marked `McpTool`, in the order of declaration (B2.1), parents before their subcommands.
 *
 * @throws UsageError `NO_TOOLS` where none is marked, and those of `checkMarks`
 */
export function collectCommands(program: CommandNode): {
  readonly marked: readonly MarkedCommand[];
  readonly warnings: readonly string[];
} {
  const marked: MarkedCommand[] = [];
  const warnings: string[] = [];
  const visit = (command: CommandNode): void => {
    const marks = marksOf(command);
    if (marks.tool) {
      checkMarks(command, marks);
      marked.push({ command, marks });
    } else if (Object.keys(marks).length > 0) {
      warnings.push(
        `Command "${displayPath(command)}" has marks but not McpTool, so it is no tool. Add McpTool, or remove them.`,
      );
    }
    command.commands.forEach(visit);
  };
  visit(program);
  if (marked.length === 0) throw noTools(program, warnings);
  return { marked, warnings };
}

/**
 * `describeOption` and `describeArgument` of the option or argument.
 *
 * @throws UsageError `INVALID_SETTING` for a key that is misspelt: a secret would not be one
 */
export function describe(node: object): ReturnType<typeof descriptionOf> {
  const description = descriptionOf(node);
  if (description === undefined) return undefined;
  refuseUnknown(
    description,
    DESCRIPTION_KEYS,
    (key) => `The description of "${nameOf(node)}" has no "${key}"`,
  );
  return description;
}

const DESCRIPTION_KEYS = ['type', 'schema', 'description', 'secret', 'cache', 'exclude', 'debug'];

function nameOf(node: { readonly flags?: string; name?(): string }): string {
  return node.flags ?? node.name?.() ?? '';
}

function noTools(program: CommandNode, warnings: readonly string[]): UsageError {
  const name = program.name() || 'this program';
  return new UsageError(
    'NO_TOOLS',
    [
      `No command of "${name}" is marked, so there is no tool to serve.`,
      ...warnings,
      "Mark one: import { exposeAsTool } from '@mcpify/markers', then exposeAsTool(command), " +
        'or @McpTool above a command class.',
    ].join(' '),
  );
}
