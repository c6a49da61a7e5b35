import { fileURLToPath } from 'node:url';

import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, test, vi } from 'vitest';

import { startHttp, type HttpServer } from '../http/http-server.js';

/* Many clients at a time, of both SDKs and both eras, and what stays of them. */

const CLIENTS = 200;
const CALLS = 20;
const INFO = { name: 'load', version: '1.0.0' };

interface Connected {
  call(name: string): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

async function connectV1(url: URL): Promise<Connected> {
  const client = new ClientV1(INFO);
  const transport = new HttpV1(url);
  await client.connect(transport as never);
  return {
    call: (name) => client.callTool({ name: 'greet', arguments: { name } }),
    async close() {
      await transport.terminateSession();
      await client.close();
    },
  };
}

async function connectV2(url: URL, mode: 'legacy' | { readonly pin: '2026-07-28' }): Promise<Connected> {
  const client = new ClientV2(INFO, { versionNegotiation: { mode } });
  const transport = new HttpV2(url);
  await client.connect(transport);
  return {
    call: (name) => client.callTool({ name: 'greet', arguments: { name } }),
    async close() {
      if (mode === 'legacy') await transport.terminateSession();
      await client.close();
    },
  };
}

const KINDS = [
  connectV1,
  (url: URL) => connectV2(url, 'legacy'),
  (url: URL) => connectV2(url, { pin: '2026-07-28' }),
];

/** All clients are connected at the same time; each makes its calls one behind the other. Rejects with the first error. */
async function wave(url: URL): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: CLIENTS }, async (_, index) => {
      const client = await KINDS[index % KINDS.length]!(url);
      let right = 0;
      for (let count = 0; count < CALLS; count += 1) {
        const name = `${index}.${count}`;
        const { content, isError } = await client.call(name);
        const isRight =
          JSON.stringify(content) === JSON.stringify([{ type: 'text', text: `Hello, ${name}!` }]);
        if (isRight && isError !== true) right += 1;
      }
      await client.close();
      return right;
    }),
  );
  return answers.reduce((sum, right) => sum + right, 0);
}

interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
}

/** What the server still holds when its garbage has been collected, in bytes. */
async function measure(server: HttpServer): Promise<Memory> {
  const reports = () => [...server.stderr().matchAll(/^MEMORY (.*)$/gm)];
  const before = reports().length;
  server.process.kill('SIGUSR2');
  await vi.waitFor(() => expect(reports()).toHaveLength(before + 1), { timeout: 30_000 });
  return JSON.parse(reports().at(-1)![1]!) as Memory;
}

/*
 * What a first wave adds to a fresh process (about half as much again: compiled code, buffers, connections that clients
 * keep open) stays; it is the measure, since nothing may be added to it.
 */
test('200 clients with 20 calls each: no error, and memory stays what it was after a first such wave', async () => {
  const preload = fileURLToPath(new URL('fixtures/collect-on-signal.cjs', import.meta.url));
  const nodeArgs = ['--expose-gc', '--require', preload];
  const server = await startHttp('test/conformance/dist/mcp.js', { nodeArgs });
  const url = new URL(server.url);
  expect(await wave(url)).toBe(CLIENTS * CALLS);
  const first = await measure(server);
  for (let count = 0; count < 2; count += 1) expect(await wave(url)).toBe(CLIENTS * CALLS);
  const last = await measure(server);
  expect(last.heapUsed).toBeLessThan(1.2 * first.heapUsed);
  expect(last.rss).toBeLessThan(1.2 * first.rss);
});
