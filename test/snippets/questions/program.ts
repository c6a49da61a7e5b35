import { callContext, exposeAsTool, McpDestructive } from '@mcpify/markers';
import { Command } from 'commander';

export const program = new Command('site');

// #region ask
const drop = program
  .command('drop')
  .argument('<page>')
  .option('--confirm', 'drop it without a question')
  .action(async (page: string, { confirm }: { confirm?: boolean }) => {
    if (confirm ?? (await isConfirmed(page))) console.log(`dropped ${page}`);
    else console.log('nothing was dropped');
  });
exposeAsTool(drop, McpDestructive);

async function isConfirmed(page: string): Promise<boolean> {
  const { action, content } = await callContext().ask(`Drop ${page} and all its versions?`, {
    type: 'object',
    properties: { confirm: { type: 'boolean', description: 'It cannot be brought back.' } },
    required: ['confirm'],
  });
  return action === 'accept' && content?.['confirm'] === true;
}
// #endregion ask
