import { beforeAll, describe, expect, test } from 'vitest';

import type { RawServer } from '../wire/connect.js';
import { call, serve } from './kind-server.js';

/* K21: values that no command line of the system could carry arrive all the same, or are refused in words. */

let server: RawServer;

beforeAll(async () => {
  server = await serve('argv.mjs', { settings: { outputBudgetBytes: 20_000_000 } });
});

async function received(tool: string, sent: object) {
  const { text, isError } = await call(server, tool, sent);
  expect(isError, text.slice(0, 300)).toBe(false);
  return JSON.parse(text);
}

const same = (found: unknown, sent: unknown) => JSON.stringify(found) === JSON.stringify(sent);

describe.concurrent.each(['here', 'child'])('%s', (tool) => {
  const sizes = tool === 'here' ? [131_072, 1_000_000] : [102_400, 131_071, 131_072, 1_000_000];

  test.each(sizes)('a text of %i bytes (F130)', async (size) => {
    const [text, wide] = ['x'.repeat(size), '😀'.repeat(size / 4)];
    const found = await received(tool, { text, first: wide, optional: text });
    expect(same([found.text, found.first, found.optional], [text, wide, text])).toBe(true);
  });

  test('40 values of 100 KB: more than all arguments may have together (F130)', async () => {
    const list = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(90_000).slice(0, 90_000));
    const found = await received(tool, { list, first: 'f', more: list });
    expect(same([found.list, found.more], [list, list])).toBe(true);
  });

  test('thousands of values', async () => {
    const list = Array.from({ length: 20_000 }, (_, index) => `value ${index}`);
    expect(same((await received(tool, { list })).list, list)).toBe(true);
  });

  test('NUL in every place, and what no terminal shows (F132)', async () => {
    for (const text of ['a\u0000b', '\u0000', '\u0001\u001b[31m\u007f\r\n\t']) {
      const sent = {
        text,
        optional: text,
        list: [text, text],
        pairs: [text],
        s: text,
        secretWord: text,
        profile: text,
        first: text,
        more: [text],
      };
      expect(await received(tool, sent)).toMatchObject(sent);
    }
  });

  test('an environment that fills most of what a process may have leaves room for values', async () => {
    const full = await serve('argv.mjs', {
      env: { FILL_1: 'x'.repeat(120_000), FILL_2: 'y'.repeat(120_000) },
    });
    const text = 'z'.repeat(90_000);
    const { text: answer, isError } = await call(full, tool, { text, list: [text.slice(0, 100)] });
    expect({ isError, start: answer.slice(0, 20) }).toMatchObject({ isError: false });
  });
});

test('more values than any command line takes are refused with their number, and nothing runs', async () => {
  for (const tool of ['here', 'child']) {
    const { text, isError } = await call(server, tool, { list: Array(60_000).fill('x') });
    expect(isError).toBe(true);
    expect(text).toMatch(/values; a command line carries at most 50000.*Nothing was run\./);
  }
  expect((await received('here', { text: 'still there' })).text).toBe('still there');
});

test('an executable subcommand gets what the system can carry, and of the rest nothing is bent', async () => {
  const { text, isError } = await call(server, 'file', { args: ['x'.repeat(200_000)] });
  if (isError) expect(text).toMatch(/E2BIG|too long|limit/i);
  else expect(text).toContain('x'.repeat(200_000));
  expect((await received('here', { text: 'still there' })).text).toBe('still there');
});
