// #region function
import { exposeAsTool, McpAdditive, McpIdempotent, McpReadOnly, McpTitle, McpTool } from '@mcpify/markers';
import { Command } from 'commander';

export const program = new Command('shop');

// What `.command('name')` returns is marked, after it is declared.
const list = program.command('list').description('Lists all articles.').action(listAll);
exposeAsTool(list, McpReadOnly, McpTitle('List articles'));

// Each mark is a function too, and returns the command.
const order = new Command('order').argument('<article>').action(orderOne);
McpAdditive(McpIdempotent(McpTool({ name: 'order_article' })(order)));
program.addCommand(order);
// #endregion function

function listAll(): void {
  console.log('pen, ink');
}

function orderOne(article: string): void {
  console.log(`ordered: ${article}`);
}
