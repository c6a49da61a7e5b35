import { describeOption, exposeAsTool, McpReadOnly } from '@mcpify/markers';
import { Command, Option } from 'commander';

// #region program
export const program = new Command('base').description('Works on a data base.');

const check = program
  .command('check')
  .requiredOption('--connection <text>', 'where the base is')
  .option('--force', 'asks no question')
  .action(({ connection }) => console.log(`${connection} is sound`));
exposeAsTool(check, McpReadOnly);

const dump = program
  .command('dump')
  .argument('<file>')
  .requiredOption('--connection <text>', 'where the base is')
  .addOption(new Option('--format <name>').choices(['plain', 'archive']))
  .option('--password <text>')
  .action((file, { connection, format = 'plain' }) => console.log(`${connection} to ${file} as ${format}`));
exposeAsTool(dump);
// #endregion program

const declared = new Command('declared')
  .option('--force', 'asks no question')
  .option('--dry-run', 'tells only what would be done')
  .option('--ticket <number>', 'why');

// #region describe
describeOption(declared, '--dry-run', { cache: true });
describeOption(declared, '--ticket', { cache: false });
// #endregion describe
