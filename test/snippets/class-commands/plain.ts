// #region plain
import { addCommands, CliArgument, CliCommand, CliOption, defineFields } from '@mcpify/class-commands';
import { McpReadOnly, McpTool } from '@mcpify/markers';
import { Command } from 'commander';

class Greet {
  name = '';
  times = 1;

  run(): string {
    return `Hello, ${this.name}! `.repeat(this.times).trim();
  }
}
CliCommand({ name: 'greet', description: 'Greets somebody.' })(Greet);
defineFields(Greet, {
  name: CliArgument('[name]', 'who is greeted'),
  times: CliOption('--times <n>', 'how often', { type: 'integer' }),
});
McpTool(Greet);
McpReadOnly(Greet);

export const program = addCommands(new Command('hello'), [Greet]);
// #endregion plain
