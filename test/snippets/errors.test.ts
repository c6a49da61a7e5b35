import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { connectClient } from 'mcpify/testing';
import { expect, onTestFinished, test } from 'vitest';

import { REPOSITORY, startServer } from '../wire/connect.js';
import { MISTAKES } from './errors/mistakes.js';
import { toRegions } from './golden.js';

test('the refusal in docs/errors.md is what a model reads', async () => {
  const client = await connectClient(await import('./publish/program.js'));
  onTestFinished(() => client.close());
  const result = await client.callTool({ name: 'publish', arguments: { format: 'pfd', port: 'abc' } });
  expect(result.isError).toBe(true);
  const [{ text } = { text: undefined }] = result.content as { text?: string }[];
  expect(readFileSync(join(REPOSITORY, 'docs/errors.md'), 'utf8')).toContain(`\`\`\`text\n${text}\n\`\`\``);
});

test('the usage errors in docs/errors.md have these texts', async () => {
  const texts: Record<string, string> = {};
  for (const [code, { load, options }] of Object.entries(MISTAKES)) {
    const error = await connectClient(load(), options).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'UsageError', code });
    texts[code] = (error as Error).message;
  }
  await expect(toRegions(texts)).toMatchFileSnapshot('errors/usage-errors.txt');
});

test('every usage error with a text shows it, and only those of child processes have none', () => {
  const document = readFileSync(join(REPOSITORY, 'docs/errors.md'), 'utf8');
  const codes = [...document.matchAll(/^### `(\w+)`$/gm)].map(([, code]) => code!);
  const shown = [...document.matchAll(/usage-errors\.txt#(\w+)$/gm)].map(([, code]) => code!);
  expect(shown).toEqual(Object.keys(MISTAKES).toSorted((a, b) => codes.indexOf(a) - codes.indexOf(b)));
  expect(codes.filter((code) => !shown.includes(code))).toEqual([
    'CLI_ENTRY_NOT_FOUND',
    'CLI_ENTRY_AMBIGUOUS',
  ]);
});

test('the JSON-RPC errors in docs/errors.md are what a client reads', async () => {
  const server = startServer('examples/publish-gate/dist/mcp.js');
  await server.initialize();
  const withoutId = (line: string) => {
    server.send(`${line}\n`);
    const { length } = server.messages;
    return server.message((each) => each.id === null && server.messages.indexOf(each) >= length);
  };
  const answers = [
    await withoutId('{"id":1,'),
    await withoutId('{"jsonrpc":"1.0","id":1}'),
    await server.request('tools/run'),
    await server.request('tools/call', { name: 'check_number' }),
    await server.request('tools/call', { name: 'check_numbers', arguments: [] }),
  ];
  const text = answers.map(({ error }) => `${error?.code} ${error?.message}`).join('\n');
  await expect(`${text}\n`).toMatchFileSnapshot('errors/json-rpc.txt');
  expect(answers[3]?.error?.data).toEqual({ nearest: ['check_numbers'] });
  await server.endInput();
});
