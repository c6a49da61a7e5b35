import { exposeAsTool } from '@mcpify/markers';
import { Command } from 'commander';

export const program = new Command('shop');

// #region trap
// Wrong: with a description as second argument, .command() returns the parent, so this marks the program.
exposeAsTool(program.command('list', 'lists all articles'));
// #endregion trap
