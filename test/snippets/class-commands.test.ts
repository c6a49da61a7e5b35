import { configureCommand } from '@mcpify/class-commands';
import { Command } from 'commander';
import { connectClient } from 'mcpify/testing';
import { expect, onTestFinished, test } from 'vitest';

import { parse } from '../class-commands/parse.js';
import { Values } from './class-commands/fields.js';
import { program as copier } from './class-commands/groups.js';
import { program as clean } from './class-commands/single.js';

test('the class of the README is a tool', async () => {
  const client = await connectClient(await import('./class-commands/program.js'));
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.slice(0, 1)).toMatchObject([{ name: 'stock', annotations: { readOnlyHint: true } }]);
  const result = await client.callTool({ name: 'stock', arguments: { article: 'pen', verbose: true } });
  expect(result).toMatchObject({ content: [{ text: '3 pen in main, counted today' }] });
});

test('the class without decorators is one too', async () => {
  const client = await connectClient(await import('./class-commands/plain.js'));
  onTestFinished(() => client.close());
  const result = await client.callTool({ name: 'greet', arguments: { name: 'Ann', times: 2 } });
  expect(result).toMatchObject({ content: [{ text: 'Hello, Ann! Hello, Ann!' }] });
});

test('every kind of value', async () => {
  const argv =
    'here --retries 1 --since 2026-01-31 -f --port 1 --out a --level debug --mode watch --tags a b --ports 1,2 ' +
    '--no-color --password pw --url https://example.com/';
  const command = configureCommand(new Command('test'), class extends Values { run() { return this; } }); // prettier-ignore
  expect(await parse(command, ...argv.split(' '))).toEqual({
    source: 'here',
    retries: 1,
    since: new Date('2026-01-31'),
    force: true,
    port: 1,
    out: 'a',
    level: 'debug',
    mode: 'watch',
    tags: ['a', 'b'],
    ports: [1, 2],
    color: false,
    password: 'pw',
    url: new URL('https://example.com/'),
  });
});

test('sets, parents and services', async () => {
  expect(await parse(copier, 'db', '--schema', 'own', 'copy', 'abc', '--host', 'far')).toBe(
    '7 rows from far',
  );
});

test('a program that is itself the command', async () => {
  expect(await parse(clean, '--all')).toBe('all clean');
});
