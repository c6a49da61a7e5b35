#!/usr/bin/env node
import { CommanderError } from 'commander';

import { program } from './program.js';

// commander ends a wrong command line with exit code 1, which here says that a check did not pass.
for (const command of [program, ...program.commands]) command.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
