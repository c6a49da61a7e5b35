import { connectClient } from 'mcpify/testing';
import { expect, onTestFinished, test } from 'vitest';

import { showResult } from './golden.js';
import { program } from './questions/program.js';

test.each(['legacy', '2026-07-28'] as const)('a client that cannot be asked, %s', async (era) => {
  const client = await connectClient(program, { era });
  onTestFinished(() => client.close());
  const refused = await client.callTool({ name: 'drop', arguments: { page: 'about' } });
  await expect(`${showResult(refused)}\n`).toMatchFileSnapshot('questions/refused.txt');
  const told = await client.callTool({ name: 'drop', arguments: { page: 'about', confirm: true } });
  expect(told).toMatchObject({ content: [{ text: 'dropped about\n' }] });
});

test('on the command line nobody is asked', async () => {
  const printed: unknown[] = [];
  const { log } = console;
  console.log = (text) => void printed.push(text);
  onTestFinished(() => {
    console.log = log;
  });
  await program.parseAsync(['drop', 'about'], { from: 'user' });
  expect(printed).toEqual(['nothing was dropped']);
});
