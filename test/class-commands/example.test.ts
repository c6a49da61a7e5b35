import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { CLIENT_KINDS, connect, REPOSITORY, textOf } from '../wire/connect.js';

const EXAMPLE = join(REPOSITORY, 'examples/class-commands/dist');
const folder = mkdtempSync(join(tmpdir(), 'mcpify-journal-'));

afterAll(() => rmSync(folder, { recursive: true }));

test('the CLI writes and reads', () => {
  const env = { ...process.env, JOURNAL_FILE: join(folder, 'cli.txt') };
  const journal = (...args: string[]) =>
    execFileSync(process.execPath, [join(EXAMPLE, 'main.js'), ...args], { env, encoding: 'utf8' });
  expect(journal('add', 'Sun all day', '--day', '2026-05-01')).toBe('Added to 2026-05-01.\n');
  expect(journal('add', 'Rain', '--mood', 'bad', '--day', '2026-05-02')).toBe('Added to 2026-05-02.\n');
  expect(journal('list', '--moods', 'bad')).toBe('2026-05-02 bad: Rain\n');
  expect(journal('list', '--since', '2026-05-01')).toBe(
    '2026-05-01 good: Sun all day\n2026-05-02 bad: Rain\n',
  );
});

test.each(CLIENT_KINDS)('the server does the same, client %s', async (kind) => {
  const file = join(folder, `${kind}.txt`);
  const client = await connect(kind, join(EXAMPLE, 'mcp.js'), { cwd: folder });
  expect((await client.listTools()).map(({ name }) => name)).toEqual([
    'add',
    'list',
    'cache_show',
    'cache_clear',
  ]);
  const days = Array.from({ length: 10 }, (_, index) => `2026-05-${10 + index}`);
  const added = await Promise.all(
    days.map((day) => client.callTool('add', { text: `On ${day}`, day, file })),
  );
  expect(added.map((result) => textOf(result))).toEqual(days.map((day) => `Added to ${day}.\n`));
  const listed = await client.callTool('list', { since: '2026-05-15', file });
  expect(textOf(listed).trim().split('\n').toSorted()).toEqual(
    days.slice(5).map((day) => `${day} good: On ${day}`),
  );
  const wrong = await client.callTool('add', { text: 'Fog', mood: 'grey', file });
  expect(wrong.isError).toBe(true);
  expect(textOf(wrong)).toBe('"mood" must be one of "good", "bad"; you sent "grey". Nothing was run.');
});
