import { rmSync } from 'node:fs';

import { connectClient } from 'mcpify/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { chartPath, counted, program } from './execution/program.js';
import { showResult, toRegions } from './golden.js';

type Client = Awaited<ReturnType<typeof connectClient>>;

let client: Client;

beforeAll(async () => {
  client = await connectClient(program, { outputBudgetBytes: 400 });
});

afterAll(async () => {
  rmSync(chartPath, { force: true });
  await client.close();
});

test('the results of the document', async () => {
  const regions: Record<string, string> = {};
  for (const name of [
    'prints',
    'object',
    'array',
    'lost',
    'chart',
    'stock',
    'silent',
    'throws',
    'exits',
    'check',
    'asks',
    'long',
  ]) {
    regions[name] = showResult(await client.callTool({ name, arguments: {} }));
  }
  await expect(toRegions(regions)).toMatchFileSnapshot('execution/results.txt');
});

test('progress and log messages of an action', async () => {
  const progress: unknown[] = [];
  const logs: unknown[] = [];
  await client.setLoggingLevel('debug');
  client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params));
  await client.callTool(
    { name: 'count', arguments: { files: ['a', 'b'] } },
    { onprogress: (each) => void progress.push(each) },
  );
  expect(counted).toEqual(['a', 'b']);
  expect(progress).toContainEqual({ progress: 0, total: 2, message: 'reading a' });
  expect(logs).toEqual([
    { level: 'debug', logger: 'count', data: { file: 'a' } },
    { level: 'debug', logger: 'count', data: { file: 'b' } },
  ]);
});

test('a deadline aborts the signal', async () => {
  const limited = await connectClient(program, { callTimeoutMs: 50 });
  const result = await limited.callTool({ name: 'count', arguments: { files: ['endless', 'c'] } });
  await limited.close();
  await vi.waitFor(() => expect(counted.at(-1)).toBe('endless abandoned'));
  await expect(showResult(result)).toMatchFileSnapshot('execution/deadline.txt');
});

test('on the command line the same action runs', async () => {
  counted.length = 0;
  await program.parseAsync(['count', 'a'], { from: 'user' });
  expect(counted).toEqual(['a']);
});
