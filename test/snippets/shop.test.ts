import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectClient } from 'mcpify/testing';
import { expect, onTestFinished, test } from 'vitest';

import { REPOSITORY, startServer } from '../wire/connect.js';
import { compileProgram } from './compile-program.js';

const SHOP = fileURLToPath(new URL('shop/', import.meta.url));

test('the program of the README is a server with one tool', async () => {
  const client = await connectClient(await import('./shop/program.js'));
  onTestFinished(() => client.close());

  const { tools } = await client.listTools();
  expect(tools).toMatchObject([{ name: 'stock', title: 'Stock', annotations: { readOnlyHint: true } }]);
  const result = await client.callTool({ name: 'stock', arguments: { article: 'pen' } });
  expect(result).toMatchObject({ content: [{ type: 'text', text: '3\n' }] });
});

test.skipIf(process.platform === 'win32')(
  'built, it is a CLI and a server, as the README tells',
  async () => {
    const folder = compileProgram(SHOP, 'shop', ['program', 'main', 'mcp']);
    const cli = spawnSync(process.execPath, ['dist/main.js', 'stock', 'pen'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(cli).toMatchObject({ status: 0, stdout: '3\n', stderr: '' });

    const server = spawnSync('sh', [join(SHOP, 'by-hand.sh')], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
    });
    expect(server).toMatchObject({ status: 0, stderr: '' });
    await expect(server.stdout).toMatchFileSnapshot('shop/by-hand.txt');
  },
);

test('registered in a client as the README tells, it answers from any folder', async () => {
  const folder = compileProgram(SHOP, 'shop', ['program', 'main', 'mcp']);
  const readme = readFileSync(join(REPOSITORY, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/```json\n(\{[\s\S]*?\n\})\n```/g)].map(
    ([, text]) => JSON.parse(text!) as Record<'mcpServers' | 'servers', { shop: Registration } | undefined>,
  );
  const registrations = blocks.flatMap(({ mcpServers, servers }) => (mcpServers ?? servers)?.shop ?? []);
  expect(registrations).toHaveLength(2);
  for (const { command, args } of registrations) {
    expect(command).toBe('node');
    const [entry] = args.map((path) => path.replace(/^(?:\/path\/to\/shop|\$\{workspaceFolder\})/, folder));
    const server = startServer(entry!, { cwd: '/' });
    await server.initialize();
    const { result } = await server.request('tools/call', { name: 'stock', arguments: { article: 'pen' } });
    expect(result).toMatchObject({ content: [{ text: '3\n' }] });
    expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
  }
});

interface Registration {
  readonly command: string;
  readonly args: readonly string[];
}
