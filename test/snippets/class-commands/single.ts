// #region single
import { CliOption, configureCommand } from '@mcpify/class-commands';
import { Command } from 'commander';

class Clean {
  @CliOption('--all', 'the cache too') all = false;

  run(): string {
    return this.all ? 'all clean' : 'clean';
  }
}

export const program = configureCommand(new Command('clean'), Clean);
// #endregion single
