// #region decorator
import { McpDestructive, McpIdempotent, McpTitle, McpTool } from '@mcpify/markers';
import { Command } from 'commander';

@McpTool({ description: 'Removes an article from the shop for good.' })
@McpTitle('Remove an article')
@McpDestructive
@McpIdempotent
class Remove extends Command {
  constructor() {
    super('remove');
    this.argument('<article>').action((article: string) => console.log(`removed: ${article}`));
  }
}

export const program = new Command('shop').addCommand(new Remove());
// #endregion decorator
