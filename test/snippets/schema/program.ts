import { describeArgument, describeOption, exposeAsTool } from '@mcpify/markers';
import { Command, Option } from 'commander';

export const program = new Command('depot').option('--region <name>', 'where the depot is', 'north');

function command(name: string): Command {
  return exposeAsTool(program.command(name).action((options) => options));
}

// #region copy
const copy = program
  .command('copy')
  .description('Copies files to a depot.')
  .argument('<files...>', 'what is copied')
  .option('-n, --dry-run', 'tells only what would be done')
  .option('--no-verify', 'does not compare the copies')
  .option('--retries <n>', 'how often it is tried', (text) => Number.parseInt(text, 10), 3)
  .addOption(new Option('--speed <speed>', 'how fast').choices(['slow', 'fast']).default('fast'))
  .addOption(new Option('--token <text>', 'signs in').env('DEPOT_TOKEN'))
  .action((files: string[], options) => ({ files, ...options }));
exposeAsTool(copy);
// #endregion copy

command('flags')
  // #region flags
  .option('--verbose', 'tells more')
  .option('--no-color', 'prints without colours')
  .option('--cache', 'keeps what was read')
  .option('--no-cache', 'reads everything anew')
  // #endregion flags
  .description('Flags.');

command('values')
  // #region values
  .requiredOption('--out <folder>', 'where it goes')
  .option('--report [file]', 'writes a report')
  .option('--proxy <url>', 'goes through it')
  .option('--no-proxy', 'goes directly')
  .option('--tags <tag...>', 'kept with it')
  .addOption(new Option('--levels <level...>', 'what is kept').choices(['info', 'error']))
  // #endregion values
  .description('Values.');

command('numbers')
  // #region parsers
  .option('--port <n>', 'where it listens', (text) => Number.parseInt(text, 10))
  .option('--ratio <n>', 'how much is kept', Number.parseFloat, 0.5)
  .option('--when <day>', 'when it is done', (text) => new Date(text))
  .option('--add <item>', 'one more', (text, list: string[]) => [...list, text], [])
  .option('-v, --verbose', 'tells more, again and again', (_, count: number) => count + 1, 0)
  // #endregion parsers
  .description('Parsers.');

const described = program
  .command('described')
  .description('What the author says.')
  .argument('<file>')
  .option('--when <day>', 'when it is done')
  .option('--filter <json>', 'what is taken')
  .option('--percent <n>', 'how much is kept', Number)
  .option('--pin <text>', 'signs in')
  .option('--debug-port <n>', 'for developers')
  .action((file: string, options) => ({ file, ...options }));
exposeAsTool(described);
// #region described
describeArgument(described, 'file', { type: 'path' });
describeOption(described, '--when', { type: 'date' });
describeOption(described, '--filter', { type: 'json', description: 'MongoDB filter' });
describeOption(described, '--percent', { schema: { minimum: 0, maximum: 100 } });
describeOption(described, '--pin', { secret: true });
describeOption(described, '--debug-port', { exclude: true });
// #endregion described
