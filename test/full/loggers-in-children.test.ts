import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { LoggersClient } from '../snippets/loggers/loggers-client.js';

/* Loggers of today, as their packages are, in processes of their own (B5.2, B6.1). */

let client: LoggersClient;

beforeAll(async () => {
  client = await LoggersClient.connect();
});

afterAll(() => client.remove());

describe.each(['pino', 'winston', 'consola'])('%s, without any wiring', (library) => {
  test('its lines are heard as in the process of the server', async () => {
    const { lines } = await client.heard(library);
    expect(lines).toHaveLength(4);
    expect((await client.heard(`${library}_isolated`)).lines).toEqual(lines);
    expect((await client.heard(`${library}_long`, { background: false })).lines).toEqual(lines);
  });

  // A logger that is made while DEBUG is set must be as silent about itself as one that was there before.
  test('a call with debug has nothing in its result that is not the command’s', async () => {
    const { text } = await client.heard(library);
    expect((await client.heard(`${library}_isolated`, { debug: true })).text).toBe(text);
  });

  test('a background task has them in its output', async () => {
    const output = await client.outputInBackground(`${library}_long`);
    for (const text of ['connected', 'articles found', 'has no price', 'was refused'])
      expect(output).toContain(text);
  });
});

test('debug needs no wiring there', async () => {
  const line = '2026-11-30T20:26:01.123Z shop:stock 12 articles found';
  expect((await client.heard('debug_isolated')).text).toBe('Done. The command printed nothing.');
  const told = { lines: [`info: ${line}`], text: `[stderr]\n${line}\n` };
  expect(await client.heard('debug_isolated', { debug: true })).toEqual(told);
  expect(await client.heard('debug_long', { debug: true })).toEqual(told);
});
