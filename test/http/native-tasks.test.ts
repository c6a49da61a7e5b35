import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';

import { modernMeta } from '../wire/connect.js';
import { answerOf, call, post, startHttp, startOwn } from './http-server.js';

/* Tasks of the protocol's extension over HTTP (protocol.md, sections 7 and 8). */

const EXTENSIONS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const DECLARED = modernMeta({ 'io.modelcontextprotocol/clientCapabilities': EXTENSIONS });

interface Asked {
  readonly method: string;
  readonly params: Record<string, unknown>;
  /** @default what the body says */
  readonly name?: string;
  readonly headers?: Record<string, string>;
  readonly meta?: object;
}

function ask(url: string, { method, params, name, headers, meta = DECLARED }: Asked): Promise<Response> {
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
  return post(url, body, {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    'mcp-name': name ?? String(params['name'] ?? params['taskId']),
    ...headers,
  });
}

const nap = { method: 'tools/call', params: { name: 'nap', arguments: {} } };

test('P33: a task is for the caller that started it: to everybody else its id is unknown', async () => {
  const { url } = await startOwn('test/fixtures/http/oauth.mjs');
  const alice = { authorization: 'Bearer alice' };
  const bob = { authorization: 'Bearer bob' };
  const { taskId } = (await answerOf(await ask(url, { ...nap, headers: alice }))).result;
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    const asked = { method, params: { taskId, inputResponses: {} } };
    const refused = await answerOf(await ask(url, { ...asked, headers: bob }));
    expect(refused.error).toMatchObject({ code: -32_602, message: expect.stringContaining('No such task') });
    const unauthorized = await ask(url, asked);
    expect(unauthorized.status).toBe(401);
  }
  const get = { method: 'tasks/get', params: { taskId }, headers: alice };
  expect((await answerOf(await ask(url, get))).result).toMatchObject({ status: 'working' });
  await ask(url, { method: 'tasks/cancel', params: { taskId }, headers: alice });
  // By the tool, of an older revision: the same store and the same owner.
  const status = await answerOf(await post(url, call('task_status', { taskId }), alice));
  expect(status.result.structuredContent).toMatchObject({ status: 'cancelled' });
});

test('a client that does not declare the extension: 400', async () => {
  const { url } = await startHttp('test/conformance/dist/mcp.js');
  const meta = modernMeta();
  const required = await ask(url, {
    method: 'tools/call',
    params: { name: 'failing_job', arguments: {} },
    meta,
  });
  expect([required.status, (await answerOf(required)).error.code]).toEqual([400, -32_021]);
  const get = await ask(url, { method: 'tasks/get', params: { taskId: 't' }, meta });
  expect([get.status, (await answerOf(get)).error.code]).toEqual([400, -32_021]);
  const other = await ask(url, { method: 'tasks/get', params: { taskId: 't' }, name: 'another' });
  expect([other.status, (await answerOf(other)).error.code]).toEqual([400, -32_020]);
  expect((await ask(url, { method: 'tasks/list', params: {} })).status).toBe(404);
  const listen = { method: 'subscriptions/listen', params: { notifications: { taskIds: ['t'] } } };
  const news = await ask(url, { ...listen, meta });
  expect([news.status, (await answerOf(news)).error]).toMatchObject([
    400,
    { code: -32_021, data: { requiredCapabilities: EXTENSIONS } },
  ]);
  expect((await ask(url, listen)).status).toBe(200);
  const unknown = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' };
  const later = await ask(url, {
    ...listen,
    meta: unknown,
    headers: { 'mcp-protocol-version': '2031-01-01' },
  });
  expect([later.status, (await answerOf(later)).error.code]).toEqual([400, -32_022]);
});

test("the SDK's client, which knows no handle, asks for a task by its id", async () => {
  const { url } = await startHttp('test/conformance/dist/mcp.js');
  const client = new Client(
    { name: 'tests', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const started = await client.callTool({ name: 'slow_compute', arguments: { seconds: 0, label: 'sums' } });
  const { taskId } = started.structuredContent as { taskId: string };
  await client.callTool({ name: 'task_status', arguments: { taskId, waitMs: 45_000 } });
  const { result } = await answerOf(await ask(url, { method: 'tasks/get', params: { taskId } }));
  expect(result).toMatchObject({ status: 'completed', result: { content: [{ text: 'computed sums\n' }] } });
  await client.close();
});

test('a log is a resource of the caller that started the task, and of nobody else', async () => {
  const { url } = await startOwn('test/fixtures/http/oauth.mjs');
  const alice = { authorization: 'Bearer alice' };
  const bob = { authorization: 'Bearer bob' };
  const { taskId } = (await answerOf(await ask(url, { ...nap, headers: alice }))).result;
  onTestFinished(async () => {
    await ask(url, { method: 'tasks/cancel', params: { taskId }, headers: alice });
  });
  const uri = `mcpify://tasks/${taskId}/log`;
  const list = { method: 'resources/list', params: {} };
  const uris = async (headers: Record<string, string>) =>
    (await answerOf(await ask(url, { ...list, headers }))).result.resources.map(
      (each: { uri: string }) => each.uri,
    );
  expect(await uris(alice)).toContain(uri);
  expect(await uris(bob)).toEqual([]);
  const read = { method: 'resources/read', params: { uri }, name: uri };
  expect((await answerOf(await ask(url, { ...read, headers: alice }))).result.contents).toMatchObject([
    { uri },
  ]);
  const refused = await answerOf(await ask(url, { ...read, headers: bob }));
  expect(refused.error).toMatchObject({ code: -32_602, data: { uri } });
  // In the words of a task that never was.
  const other = { ...read, params: { uri: `${uri}s` }, name: `${uri}s` };
  const unknown = await answerOf(await ask(url, { ...other, headers: bob }));
  expect(refused.error.message.replace(uri, '')).toBe(unknown.error.message.replace(`${uri}s`, ''));
  // An older revision knows the same owner.
  const old = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } };
  expect((await answerOf(await post(url, old, bob))).error.code).toBe(-32_602);
  expect((await answerOf(await post(url, old, alice))).result.contents).toMatchObject([{ uri }]);
});
