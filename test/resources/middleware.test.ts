import { exposeAsTool, McpReadOnly, McpResource } from '@mcpify/markers';
import { Command } from 'commander';
import type { IsEnabled, Middleware } from 'mcpify';
import { connectClient } from 'mcpify/testing';
import { expect, onTestFinished, test } from 'vitest';

/* What stands around calls stands around reads: a resource is no way past it. */

async function connect(options: { middleware?: Middleware[]; isEnabled?: IsEnabled }) {
  const program = new Command('notes');
  const show = program
    .command('show')
    .argument('<name>')
    .action((name: string) => console.log(`note ${name}`));
  exposeAsTool(show, McpReadOnly, McpResource({ uriTemplate: 'notes://{name}' }));
  const client = await connectClient(program, options);
  onTestFinished(() => client.close());
  return (uri: string) => client.readResource({ uri });
}

test('middleware sees the read as a call, and changes what is read', async () => {
  const seen: unknown[] = [];
  const read = await connect({
    middleware: [
      {
        before: ({ tool, values }) => void seen.push([tool.name, values]),
        after: (_call, result) => ({ ...result, content: [{ type: 'text', text: 'withheld' }] }),
      },
    ],
  });
  expect((await read('notes://a%20b')).contents).toMatchObject([{ text: 'withheld' }]);
  expect(seen).toEqual([['show', { name: 'a b' }]]);
});

test('middleware refuses', async () => {
  const refuse = () => Promise.reject(new Error('Not at night.'));
  const read = await connect({ middleware: [{ before: refuse }] });
  await expect(read('notes://x')).rejects.toMatchObject({
    code: -32_603,
    message: 'Not at night. Nothing was run.',
    data: { uri: 'notes://x' },
  });
});

test('a tool that is disabled is no resource either', async () => {
  const read = await connect({ isEnabled: () => 'Switch it on.' });
  await expect(read('notes://x')).rejects.toMatchObject({
    code: -32_603,
    message: expect.stringContaining('show is disabled. Switch it on.'),
  });
});
