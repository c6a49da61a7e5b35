import { connectClient } from 'mcpify/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { showResult, toRegions } from './golden.js';
import { program } from './progress/program.js';

type Client = Awaited<ReturnType<typeof connectClient>>;

let client: Client;
const regions: Record<string, string> = {};

beforeAll(async () => {
  client = await connectClient(program);
});

afterAll(() => client.close());

test('what the client hears is what the document shows', async () => {
  const heard: string[] = [];
  client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) => {
    heard.push(`${level} ${logger}: ${typeof data === 'string' ? data : JSON.stringify(data)}`);
  });
  const call = async (region: string, name: string, toolArguments: Record<string, unknown>) => {
    heard.length = 0;
    const progress: string[] = [];
    const result = await client.callTool(
      { name, arguments: toolArguments },
      { onprogress: (each) => void progress.push(JSON.stringify(each)) },
    );
    regions[`${region}-messages`] = heard.join('\n');
    regions[`${region}-progress`] = progress.join('\n');
    regions[`${region}-result`] = showResult(result);
  };
  await call('unasked', 'sync', {});
  await client.setLoggingLevel('debug');
  await call('sync', 'sync', {});
  await call('copy', 'copy', { articles: ['pen', 'ink', 'mug'] });
  await call('debug', 'copy', { articles: ['pen'], debug: true });

  // Of lines that come at once the client may be told the newest alone.
  const { 'unasked-progress': _first, 'sync-progress': lines, ...shown } = regions;
  expect(JSON.parse(lines!.split('\n').at(-1)!)).toEqual({
    progress: 3,
    message: 'error: "mug" was refused',
  });
  await expect(toRegions(shown)).toMatchFileSnapshot('progress/results.txt');
});
