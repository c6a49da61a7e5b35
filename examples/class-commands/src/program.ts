import { addCommands } from '@mcpify/class-commands';
import { Command } from 'commander';

import { AddEntry } from './add-entry.js';
import { Journal } from './journal.js';
import { ListEntries } from './list-entries.js';

const journal = new Journal();

export const program = addCommands(new Command('journal').version('0.1.0'), [AddEntry, ListEntries], {
  create: (commandClass) => new commandClass(journal),
});
