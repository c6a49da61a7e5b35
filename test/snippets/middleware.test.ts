import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Client } from '@modelcontextprotocol/client';
import { connectClient } from 'mcpify/testing';
import { expect, onTestFinished, test } from 'vitest';

import { startServer } from '../wire/connect.js';
import { compileProgram } from './compile-program.js';
import { showResult, toRegions } from './golden.js';
import { clock, journal, middleware } from './middleware/options.js';
import { program } from './middleware/program.js';

const SALE = { article: 'pen', card: '4000-1234' };
const SENT = `sell ${JSON.stringify(SALE)}\n`;

test('the calls of docs/middleware.md', async () => {
  const folder = compileProgram(join(import.meta.dirname, 'middleware'), 'shop', [
    'mcp',
    'options',
    'program',
  ]);
  writeFileSync(join(folder, 'state.json'), '{ "switchedOff": ["sell"], "readOnly": false }');
  const server = startServer(join(folder, 'dist/mcp.js'), { cwd: folder });
  await server.initialize();
  const disabled = await server.request('tools/call', { name: 'sell', arguments: SALE });
  await server.endInput();

  const client = await connectClient(program, { middleware });
  onTestFinished(() => client.close());
  const sell = async () => SENT + showResult(await callSell(client));
  const day = await sell();
  clock.hour = 3;
  const regions = {
    disabled: SENT + showResult(disabled.result as object),
    calls: `${day}\n\nAt night:\n${await sell()}`,
    journal: journal.join('\n'),
  };
  await expect(toRegions(regions)).toMatchFileSnapshot('middleware/results.txt');
});

test('the limit of docs/middleware.md', async () => {
  clock.hour = 12;
  const client = await connectClient(program, { middleware });
  onTestFinished(() => client.close());
  const results = await Promise.all([1, 2, 3].map(() => callSell(client)));
  expect(results.filter(({ isError }) => isError)).toHaveLength(1);
  expect((await callSell(client)).isError).toBeUndefined();
});

function callSell(client: Client) {
  return client.callTool({ name: 'sell', arguments: SALE });
}
