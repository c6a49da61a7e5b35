import { exposeAsTool, McpDestructive, McpLongRunning, McpReadOnly, McpTool } from '@mcpify/markers';
import { Command } from 'commander';
import type { McpOptions, UsageErrorCode } from 'mcpify';

export interface Mistake {
  /** What the loader gives, mostly a program. */
  readonly load: () => unknown;
  readonly options?: McpOptions;
}

/** One mistake for each code that an author can meet. */
export const MISTAKES: Partial<Record<UsageErrorCode, Mistake>> = {
  NO_TOOLS: { load: () => shop(() => {}) },
  MARK_ON_GROUP: { load: () => shop((program) => exposeAsTool(program.command('list', 'lists'))) },
  INVALID_TOOL_NAME: { load: () => shop((program) => McpTool({ name: 'list all' })(list(program))) },
  DUPLICATE_TOOL: {
    load: () =>
      shop((program) => {
        exposeAsTool(list(program, 'list-all'));
        exposeAsTool(list(program, 'list_all'));
      }),
  },
  DUPLICATE_PROPERTY: {
    load: () => shop((program) => exposeAsTool(list(program).argument('<file>').option('--file <path>'))),
  },
  RESERVED_NAME: { load: () => shop((program) => exposeAsTool(list(program, 'task-status'))) },
  CONTRADICTORY_MARKS: {
    load: () => shop((program) => exposeAsTool(list(program), McpReadOnly, McpDestructive)),
  },
  NEEDS_CHILD_PROCESS: { load: () => shop((program) => exposeAsTool(list(program), McpLongRunning)) },
  UNSUPPORTED_COMMANDER: {
    load: () => ({ name: () => 'old', commands: [], options: [], parseAsync: () => Promise.resolve() }),
  },
  PROGRAM_NOT_FOUND: { load: () => ({ run: 1 }) },
  PROGRAM_PARSED_ON_IMPORT: {
    load: () => shop((program) => exposeAsTool(list(program))).parse(['list'], { from: 'user' }),
  },
  INVALID_SETTING: {
    load: () => shop((program) => exposeAsTool(list(program))),
    options: { serveLoadErrors: 'yes' } as unknown as McpOptions,
  },
};

function shop(declare: (program: Command) => unknown): Command {
  const program = new Command('shop');
  declare(program);
  return program;
}

function list(program: Command, name = 'list'): Command {
  return program.command(name).action(() => {});
}
