import { describeOption, exposeAsTool } from '@mcpify/markers';
import { Command, Option } from 'commander';

export const program = new Command('site');

const publish = program
  .command('publish')
  .addOption(new Option('--format <format>', 'what to make').choices(['html', 'pdf']))
  .option('--port <number>', 'where to serve it', Number)
  .action(({ format = 'html', port = 80 }) => console.log(`${format} on port ${port}`));
describeOption(publish, '--port', { type: 'integer' });
exposeAsTool(publish);
