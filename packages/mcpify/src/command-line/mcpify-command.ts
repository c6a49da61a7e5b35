import { readFileSync } from 'node:fs';

import { Command } from 'commander';

import { addTasksCommand } from './tasks-command.js';
import type { Console } from './console.js';

/** The command `mcpify`. */
export function createMcpifyCommand(console: Console): Command {
  const command = new Command('mcpify')
    .description('Serves commander commands as MCP tools')
    .version(ownVersion())
    .configureOutput({
      writeOut: (text) => console.stdout.write(text),
      writeErr: (text) => console.stderr.write(text),
    });
  addTasksCommand(command, console);
  return command;
}

function ownVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
