import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

import { modernMeta, startServer, type RawServer } from './connect.js';

/* A plain handshake is answered without the SDK, which is loaded by the first request that needs it. */

const ENTRY = 'test/conformance/dist/mcp.js';
const CLIENT = { clientInfo: { name: 'raw', version: '1.0.0' }, capabilities: {} };
/** What no client sends: the SDK answers. */
const ODD = { _meta: { 'example.com/trace': 'a' } };

const folder = mkdtempSync(join(tmpdir(), 'mcpify-handshake-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.concurrent.each([
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
  '2026-07-28',
  '1',
  '',
])('initialize with %j has one answer, whoever gives it', async (protocolVersion) => {
  const params = { protocolVersion, ...CLIENT };
  const [plain, bySdk] = await Promise.all(
    [params, { ...params, ...ODD }].map((each) => startServer(ENTRY).request('initialize', each)),
  );
  expect(plain?.result?.['serverInfo']).toBeDefined();
  expect(plain).toEqual(bySdk);
});

test.each([
  ['capabilities of a client of today', { roots: { listChanged: true }, elicitation: {}, sampling: {} }],
  ['capabilities that are none', { roots: 5 }],
  ['capabilities that are texts', { roots: { listChanged: 'yes' } }],
])('%s: one answer, whoever gives it', async (_what, capabilities) => {
  const params = { protocolVersion: '2025-11-25', ...CLIENT, capabilities };
  const [plain, bySdk] = await Promise.all(
    [params, { ...params, ...ODD }].map((each) => startServer(ENTRY).request('initialize', each)),
  );
  expect(plain).toEqual(bySdk);
});

test('what comes in one go with the handshake is answered in its revision, in order', async () => {
  const server = startServer(ENTRY);
  const messages = [
    { id: 'a', method: 'initialize', params: { protocolVersion: '2025-06-18', ...CLIENT } },
    { method: 'notifications/initialized' },
    { id: 'b', method: 'prompts/list' },
    { id: 'c', method: 'tools/call', params: { name: 'greet', arguments: { name: 'Ada' } } },
    { id: 'd', method: 'tools/list', params: { cursor: 'x' } },
    { id: 'e', method: 'ping' },
  ];
  server.send(messages.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`).join(''));
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => server.answerTo(id)));
  const [a, b, ...others] = server.messages;
  expect([a?.id, b?.id, others.length]).toEqual(['a', 'b', 3]);
  expect(a?.result?.['protocolVersion']).toBe('2025-06-18');
  expect(b?.error?.code).toBe(-32_601);
  // An answer of this era: nothing of 2026-07-28 in it.
  expect((await server.answerTo('c')).result).toEqual({ content: [{ type: 'text', text: 'Hello, Ada!' }] });
  expect((await server.answerTo('d')).error?.code).toBe(-32_602);
  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
});

test('a request that needs the SDK is answered when the input has ended behind it', async () => {
  const server = startServer(ENTRY);
  await server.initialize();
  server.send({ jsonrpc: '2.0', id: 'last', method: 'tools/call', params: { name: 'no_such_tool' } });
  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
  expect((await server.answerTo('last')).error?.code).toBe(-32_602);
});

test('an id of the handshake can be used again for a request that needs the SDK', async () => {
  const server = startServer(ENTRY);
  server.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '', ...CLIENT } });
  await server.answerTo(0);
  server.send({ jsonrpc: '2.0', id: 0, method: 'prompts/list' });
  expect((await server.message(({ error }) => error !== undefined)).id).toBe(0);
  server.send({ jsonrpc: '2.0', id: 1, method: 'ping', params: ODD });
  await server.answerTo(1);
  expect(server.messages).toHaveLength(3);
});

test('a handshake behind another one, or behind a probe, is left to the SDK', async () => {
  const twice = startServer(ENTRY);
  await twice.initialize('2025-06-18');
  expect((await twice.initialize('2025-03-26')).result?.['protocolVersion']).toBe('2025-03-26');
  const probed = startServer(ENTRY);
  await probed.request('server/discover', { _meta: modernMeta() });
  expect((await probed.initialize('2024-11-05')).result?.['protocolVersion']).toBe('2024-11-05');
  for (const server of [twice, probed]) {
    const { result } = await server.request('tools/call', { name: 'greet', arguments: { name: 'Ada' } });
    expect(result).toEqual({ content: [{ type: 'text', text: 'Hello, Ada!' }] });
  }
});

test('a client that lists and calls never needs the SDK', async () => {
  expect(await loadedOfSdk('plain', async () => {})).toEqual([]);
  const odd = await loadedOfSdk('odd', async (server) => void (await server.request('ping', ODD)));
  expect(odd).not.toEqual([]);
});

/** Modules of the SDK that a server has loaded at its end, as Node's own record says. */
async function loadedOfSdk(name: string, more: (server: RawServer) => Promise<void>): Promise<string[]> {
  const records = join(folder, name);
  const server = startServer(ENTRY, { env: { NODE_V8_COVERAGE: records } });
  await server.initialize();
  await server.request('tools/list');
  await server.request('tools/call', { name: 'greet', arguments: { name: 'Ada' } });
  await server.request('logging/setLevel', { level: 'debug' });
  await server.request('ping');
  await more(server);
  await server.endInput();
  const urls = readdirSync(records).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(records, file), 'utf8')) as { result: { url: string }[] };
    return result.map(({ url }) => url);
  });
  expect(urls.some((url) => url.includes('run-commands.js'))).toBe(true);
  return urls.filter((url) => url.includes('@modelcontextprotocol'));
}
