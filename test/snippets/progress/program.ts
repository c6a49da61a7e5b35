import { callContext, exposeAsTool } from '@mcpify/markers';
import { Command } from 'commander';

export const program = new Command('shop');

// #region logs
const sync = program.command('sync').action(() => {
  console.log('12 articles found');
  console.log('warn: "pan" has no price');
  console.error('error: "mug" was refused');
  console.log(JSON.stringify({ level: 20, msg: 'connection closed' }));
});
exposeAsTool(sync);
// #endregion logs

// #region progress
const copy = program
  .command('copy')
  .argument('<articles...>')
  .action(async (articles: string[]) => {
    const { progress, log, signal } = callContext();
    for (const [index, article] of articles.entries()) {
      if (signal.aborted) return;
      await copyOne(article);
      progress(index + 1, articles.length, `copied ${article}`);
      log('debug', { article });
    }
  });
exposeAsTool(copy);
// #endregion progress

async function copyOne(article: string): Promise<void> {
  // Longer than the shortest time between two progress notifications.
  await new Promise((resolve) => setTimeout(resolve, 40));
  if (article === '') throw new Error('no article');
}
