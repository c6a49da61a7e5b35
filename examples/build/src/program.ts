import { addCommands } from '@mcpify/class-commands';
import { Command } from 'commander';

import { Compile, Diff } from './configuration-commands.js';
import { AddExtension, ListExtensions } from './extension-commands.js';
import { CreateInfobase, DumpInfobase, RestoreInfobase } from './infobase-commands.js';

/** Exit codes: 0 = done, 1 = it failed, or two configurations differ. */
export const program = addCommands(
  new Command('builder').description('Compiles configurations and keeps them in infobases').version('0.1.0'),
  [Compile, Diff, CreateInfobase, DumpInfobase, RestoreInfobase, ListExtensions, AddExtension],
);
