import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { toRegions } from './golden.js';
import { LoggersClient } from './loggers/loggers-client.js';

/* Loggers of today, as their packages are (B5.1, B6.1); in processes of their own: test/full/loggers-in-children. */

let client: LoggersClient;

beforeAll(async () => {
  client = await LoggersClient.connect();
});

afterAll(() => client.remove());

describe.each(['pino', 'winston', 'consola'])('%s, without any wiring', (library) => {
  test('each line has its level', async () => {
    const { lines } = await client.heard(library);
    const levels = lines.map((line) => line.split(':', 1)[0]);
    expect(levels).toEqual(['debug', 'info', 'warning', 'error']);
    const said = ['connected', 'articles found', '"pan" has no price', '"mug" was refused'];
    said.forEach((text, index) => expect(lines[index]).toContain(text));
  });

  test('a call with debug has nothing in its result that is not the command’s', async () => {
    const { text } = await client.heard(library);
    expect((await client.heard(library, { debug: true })).text).toBe(text);
  });
});

test('debug, wired: its lines are log messages of the call, and in the result of one with debug', async () => {
  const line = 'debug: 2026-11-30T20:26:01.123Z shop:stock 12 articles found';
  const { lines, text } = await client.heard('debug');
  expect({ lines, text }).toEqual({ lines: [line], text: 'Done. The command printed nothing.' });
  expect((await client.heard('debug', { debug: true })).text).toBe(`[log]\n${line}\n`);
});

test('what the document shows', async () => {
  const regions: Record<string, string> = {};
  for (const library of ['pino', 'winston', 'consola']) {
    regions[library] = (await client.heard(library)).lines.join('\n');
  }
  regions['debug'] = (await client.heard('debug', { debug: true })).text;
  await expect(toRegions(regions)).toMatchFileSnapshot('loggers/results.txt');
});
