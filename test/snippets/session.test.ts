import { connectClient } from 'mcpify/testing';
import { expect, onTestFinished, test } from 'vitest';

import { showResult, toRegions } from './golden.js';
import { program } from './session/program.js';

async function connect(era: 'legacy' | '2026-07-28') {
  const client = await connectClient(program, { era });
  onTestFinished(() => client.close());
  return (name: string, toolArguments: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: toolArguments });
}

/** What differs from run to run. */
function settled(text: string): string {
  return text
    .replaceAll(/s[0-9a-f]{40}/g, `s${'0123456789'.repeat(4)}`)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-10-01T12:00:00.000Z');
}

test('the conversation of the document', async () => {
  const call = await connect('legacy');
  const steps: Record<string, [string, Record<string, unknown>?]> = {
    first: ['check', { connection: 'db.example/shop' }],
    second: ['dump', { file: 'shop.txt' }],
    show: ['cache_show'],
    without: ['check', { nocache: true }],
    clear: ['cache_clear', { name: 'connection' }],
  };
  const regions: Record<string, string> = {};
  for (const [step, [name, toolArguments = {}]] of Object.entries(steps)) {
    const sent = `${name} ${JSON.stringify(toolArguments)}`;
    regions[step] = `${sent}\n${settled(showResult(await call(name, toolArguments)))}`;
  }
  await expect(toRegions(regions)).toMatchFileSnapshot('session/connection.txt');
});

test('the conversation with a handle', async () => {
  const call = await connect('2026-07-28');
  const first = showResult(await call('check', { connection: 'db.example/shop', session: 'new' }));
  const session = /s[0-9a-f]{40}/.exec(first)![0];
  const second = showResult(await call('dump', { file: 'shop.txt', session }));
  const shown = [
    `check {"connection":"db.example/shop","session":"new"}\n${first}`,
    `dump {"file":"shop.txt","session":"${session}"}\n${second}`,
  ];
  await expect(settled(`${shown.join('\n\n')}\n`)).toMatchFileSnapshot('session/handle.txt');
});
