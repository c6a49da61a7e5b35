// #region marked
import { describeOption, exposeAsTool, McpReadOnly, McpTitle } from '@mcpify/markers';
import { Command } from 'commander';

export const program = new Command('shop');

const stock = program
  .command('stock')
  .description('Tells how many of an article are there.')
  .argument('<article>')
  .option('--token <text>', 'signs in')
  .action((article, { token }) => console.log(count(article, token)));

exposeAsTool(stock, McpReadOnly, McpTitle('Stock'));
describeOption(stock, '--token', { secret: true });

function count(article: string, token?: string): number {
  return token === 'wrong' ? 0 : article.length;
}
// #endregion marked
