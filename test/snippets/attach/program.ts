import { exposeAsTool, McpReadOnly } from '@mcpify/markers';
import { Command } from 'commander';

export const program = new Command('shop');

const stock = program
  .command('stock')
  .description('Tells how many of an article are there.')
  .argument('<article>')
  .action((article: string) => console.log(article.length));
exposeAsTool(stock, McpReadOnly);
