// #region command
import { addCommands, CliArgument, CliCommand, CliOption } from '@mcpify/class-commands';
import { McpReadOnly, McpTool } from '@mcpify/markers';
import { Command } from 'commander';

@McpTool
@McpReadOnly
@CliCommand({ name: 'stock', description: 'Tells how many of an article are there.' })
class Stock {
  @CliArgument('<article>', 'its name') article!: string;
  @CliOption('-s, --shop <name>', 'where to look') shop = 'main';
  @CliOption('--verbose', 'tells more') verbose = false;

  run(): string {
    const found = `${this.article.length} ${this.article} in ${this.shop}`;
    return this.verbose ? `${found}, counted today` : found;
  }
}

export const program = addCommands(new Command('shop'), [Stock]);
// #endregion command
