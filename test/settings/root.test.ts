import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeArgument, describeOption, exposeAsTool } from '@mcpify/markers';
import { Command } from 'commander';
import { connectClient } from 'mcpify/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/* The setting `root`: `path` values lie in that folder, or nothing runs (decision 12). */

const place = realpathSync(mkdtempSync(join(tmpdir(), 'mcpify-root-')));
const root = join(place, 'root');
const ran: unknown[] = [];

let client: Awaited<ReturnType<typeof connectClient>>;

beforeAll(async () => {
  mkdirSync(join(root, 'sub'), { recursive: true });
  mkdirSync(join(place, 'root-beside'));
  writeFileSync(join(place, 'secret'), '');
  symlinkSync(place, join(root, 'out'));
  symlinkSync(join(root, 'sub'), join(root, 'in'));
  symlinkSync('circle', join(root, 'circle'));
  const program = new Command('app');
  const read = program
    .command('read')
    .argument('[files...]')
    .option('--to <path>')
    .option('--note <text>')
    .action((files: string[], options: object) => void ran.push({ files, ...options }));
  describeArgument(read, 'files', { type: 'path' });
  describeOption(read, '--to', { type: 'path' });
  exposeAsTool(read);
  client = await connectClient(program, { root, cwd: root, sessionCache: 'off' });
});

afterAll(async () => {
  await client.close();
  rmSync(place, { recursive: true });
});

async function read(toolArguments: Record<string, unknown>) {
  ran.length = 0;
  const result = await client.callTool({ name: 'read', arguments: toolArguments });
  return { ran: [...ran], isError: result.isError === true, text: JSON.stringify(result.content) };
}

describe('within the root', () => {
  test.each(['.', 'sub', 'sub/new/file', './sub/../sub', 'in/file', '...', '..file'])('%s', async (path) => {
    expect(await read({ files: [path] })).toMatchObject({ ran: [{ files: [path] }], isError: false });
    expect(await read({ to: join(root, path) })).toMatchObject({ isError: false });
  });

  test('a text that is no path is free', async () => {
    expect(await read({ note: '../../etc/passwd' })).toMatchObject({ isError: false });
  });
});

describe('outside of it nothing runs', () => {
  test.each([
    '..',
    '../secret',
    '../root-beside',
    'sub/../../secret',
    'out/secret',
    'out/root/../secret',
    'in/../../secret',
    'circle',
    '/etc/passwd',
    'file:///etc/passwd',
  ])('%s', async (path) => {
    for (const sent of [{ to: path }, { files: ['sub', path] }]) {
      const refused = await read(sent);
      expect(refused).toMatchObject({ ran: [], isError: true });
      expect(refused.text).toMatch(/must (?:lie in the folder that this server is limited to|be a path)/);
    }
  });
});
