import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  callContext,
  exposeAsTool,
  McpConcurrent,
  McpExitCodes,
  McpOutput,
  McpReadOnly,
} from '@mcpify/markers';
import { Command } from 'commander';

export const program = new Command('till');

function command(name: string, action: (...args: any[]) => unknown): Command {
  return exposeAsTool(program.command(name).action(action as (...args: any[]) => void));
}

command('prints', () => {
  // #region prints
  console.log('3 articles');
  console.error('the price list is old');
  console.log('12.50 in all');
  // #endregion prints
});

command('object', () => ({ articles: 3, total: 12.5 }));
command('array', () => ['pen', 'ink']);
command('lost', () => ({ total: 1250n }));

export const chartPath = join(tmpdir(), `mcpify-chart-${process.pid}.png`);

// #region chart
command('chart', async () => {
  await writeFile(chartPath, drawChart());
  return { content: [{ type: 'image', path: chartPath }] };
});
// #endregion chart

// #region output
const stock = command('stock', () => console.log(JSON.stringify({ articles: 3 })));
exposeAsTool(
  stock,
  McpOutput({ type: 'object', properties: { articles: { type: 'integer' } }, required: ['articles'] }),
);
// #endregion output

command('silent', () => undefined);
command('throws', () => {
  throw new Error('no such article: "pan"');
});
command('exits', () => {
  console.log('checking');
  process.exit(3);
});
exposeAsTool(
  command('check', () => {
    console.log('1 article is missing');
    process.exitCode = 1;
  }),
  McpExitCodes([1]),
);
command('asks', async () => {
  const { createInterface } = await import('node:readline/promises');
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  await prompt.question('Delete all articles?');
}).option('--yes', 'asks nothing');
command('long', () => console.log('x'.repeat(100).concat('\n').repeat(20)));

/** One pixel. */
function drawChart(): Buffer {
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
  return Buffer.from(png, 'base64');
}

export const counted: string[] = [];

// #region context
const count = program
  .command('count')
  .argument('<files...>')
  .action(async (files: string[]) => {
    const { signal, progress, log } = callContext();
    for (const [index, file] of files.entries()) {
      if (signal.aborted) return;
      progress(index, files.length, `reading ${file}`);
      log('debug', { file });
      await countLines(file, signal);
    }
  });
exposeAsTool(count, McpReadOnly, McpConcurrent);
// #endregion context

async function countLines(file: string, signal: AbortSignal): Promise<void> {
  if (file === 'endless') await new Promise((resolve) => signal.addEventListener('abort', resolve));
  counted.push(signal.aborted ? `${file} abandoned` : file);
}
