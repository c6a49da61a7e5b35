import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { exposeAsTool, McpLongRunning } from '@mcpify/markers';
import { Command } from 'commander';

export const program = new Command('site');

// #region marked
const build = program
  .command('build')
  .description('Builds all pages.')
  .argument('<folder>')
  .option('--strict', 'fails where a link is broken')
  .action(buildPages);

exposeAsTool(build, McpLongRunning({ timeoutMs: 15 * 60_000 }));
// #endregion marked

async function buildPages(folder: string, { strict }: { strict?: boolean }): Promise<void> {
  for (const page of ['index', 'about', 'contact']) {
    console.log(`built ${page}.html`);
    // What a build takes its time for: here it goes on when it is told to.
    while (!existsSync(`${folder}/${page}`)) await delay(10);
  }
  if (!strict) return;
  console.error('contact.html: broken link to /team');
  process.exitCode = 1;
}
