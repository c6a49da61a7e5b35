import { beforeAll, expect, test } from 'vitest';

import { startServer, type RawServer } from './connect.js';

/* Plain calls are answered without the SDK, all others by it: nobody can tell one from the other. */

const ENTRY = 'test/conformance/dist/mcp.js';

let server: RawServer;

beforeAll(async () => {
  server = startServer(ENTRY);
  await server.initialize();
});

const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

test.each([
  ['greet', { name: 'Ada' }],
  ['greet', { name: 7 }],
  ['greet', { nam: 'Ada' }],
  ['test_error_handling', {}],
  ['test_stdout_noise', undefined],
])('%s %j gives one result, whoever answers', async (name, toolArguments) => {
  const params = { name, ...(toolArguments && { arguments: toolArguments }) };
  const plain = await server.request('tools/call', params);
  const withMeta = await server.request('tools/call', { ...params, _meta: { 'example.com/trace': 'a' } });
  expect(plain.result).toEqual(withMeta.result);
  expect(plain.error).toBeUndefined();
});

test('the list is the same, whoever answers', async () => {
  const plain = await server.request('tools/list');
  const again = await server.request('tools/list', {});
  const withMeta = await server.request('tools/list', { _meta: { 'example.com/trace': 'a' } });
  expect(plain.result?.['tools']).not.toHaveLength(0);
  expect(again.result).toEqual(plain.result);
  expect(withMeta.result).toEqual(plain.result);
  expect((await server.request('tools/list', { cursor: 'a' })).error?.code).toBe(-32602);
});

test.each([
  [{ name: 'gret' }, -32602, /Did you mean greet/],
  [{ name: 'greet', arguments: { name: 'Ada' }, _meta: { progressToken: {} } }, -32602, /progressToken/],
  [{ name: 'greet', arguments: { name: 'Ada' }, _meta: null }, -32602, /_meta/],
])('%j is refused', async (params, code, message) => {
  const { error } = await server.request('tools/call', params);
  expect(error?.code).toBe(code);
  expect(error?.message).toMatch(message);
});

test('a level that is set right before a call holds for it', async () => {
  const level = (name: string) => ({ method: 'logging/setLevel', params: { level: name } });
  const call = { method: 'tools/call', params: { name: 'test_logging_tool' } };
  const logsBetween = async (from: string, to: string) => {
    const before = server.messages.length;
    server.send(line({ id: from, ...level(from) }) + line({ id: to, ...call }));
    await server.answerTo(to);
    return server.messages.slice(before).filter(({ method }) => method === 'notifications/message');
  };
  expect(await logsBetween('debug', 'call 1')).toHaveLength(1);
  expect(await logsBetween('error', 'call 2')).toHaveLength(0);
});

test('a call whose cancellation comes with it does not run, and is not answered', async () => {
  const call = { id: 'cancelled', method: 'tools/call', params: { name: 'test_tool_with_progress' } };
  const withProgress = { ...call, params: { ...call.params, _meta: { progressToken: 'token' } } };
  const cancel = { method: 'notifications/cancelled', params: { requestId: 'cancelled' } };
  // The first call of a command loads what runs it.
  await server.request('tools/call', call.params);
  const before = server.messages.length;
  server.send(line(withProgress) + line(cancel));
  const next = await server.request('tools/call', { name: 'test_tool_with_progress' });
  expect(next.result?.['content']).toBeDefined();
  expect(server.messages.slice(before)).toEqual([next]);
});

test('an id can be used again after its cancellation', async () => {
  const call = { id: 'again', method: 'tools/call', params: { name: 'greet', arguments: { name: 'Ada' } } };
  const cancel = { method: 'notifications/cancelled', params: { requestId: 'again' } };
  server.send(line(call) + line(cancel) + line(call));
  const { result } = await server.answerTo('again');
  expect(result?.['content']).toEqual([{ type: 'text', text: 'Hello, Ada!' }]);
  await server.request('ping');
  expect(server.messages.filter(({ id }) => id === 'again')).toHaveLength(1);
});
