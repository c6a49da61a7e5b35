import { resolve } from 'node:path';

import { UsageError } from '../errors/usage-error.js';
import type { Settings } from '../options/mcp-options.js';
import { findCliEntry } from '../registry/find-cli-entry.js';
import { displayPath, type CommandNode } from '../schema/command-node.js';

/**
 * The script of the CLI in a process that is no server: what lies around this process's own script, a test runner, is
 * not the CLI, and running it would start the tests again.
 *
 * @throws UsageError `NEEDS_CHILD_PROCESS`, `CLI_ENTRY_NOT_FOUND`
 */
export function entryForTests({ cliEntry }: Settings): (command: CommandNode) => string {
  return (command) => {
    if (cliEntry !== undefined) return findCliEntry(resolve(cliEntry), undefined, displayPath(command));
    throw new UsageError(
      'NEEDS_CHILD_PROCESS',
      `Command "${displayPath(command)}" runs as a child process, and there is no MCP script here beside which the CLI ` +
        "could be looked for. Name it: connectClient(program, { cliEntry: 'dist/main.js' }).",
    );
  };
}
