import { describeOption, exposeAsTool } from '@mcpify/markers';
import { Command } from 'commander';

export const program = new Command('shop');

const sell = program
  .command('sell')
  .argument('<article>')
  .requiredOption('--card <number>')
  .action((article: string) => console.log(`One ${article} sold to customer 4711-0815.`));
exposeAsTool(sell);
describeOption(sell, '--card', { secret: true });
