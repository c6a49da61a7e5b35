import { request as requestOnce, type IncomingMessage } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { once } from 'node:events';

import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, test, vi } from 'vitest';

import { modernMeta, startServer } from '../wire/connect.js';
import { answerOf, call, initialize, post, startHttp, type HttpServer } from './http-server.js';

const ENTRY = 'test/fixtures/http/mcp.mjs';
const INFO = { name: 'http-tests', version: '1.0.0' };
let server: HttpServer;

beforeAll(async () => {
  server = await startHttp(ENTRY);
});

describe('clients', () => {
  test('v1 with its session', async () => {
    const client = new ClientV1(INFO);
    const transport = new HttpV1(new URL(server.url));
    await client.connect(transport as never);
    expect(transport.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'echo',
      'whoami',
      'erase',
      'linger',
      'flood',
      'nap',
      'task_status',
      'task_result',
      'task_cancel',
    ]);
    expect(await client.callTool({ name: 'echo', arguments: { text: 'héllo' } })).toMatchObject({
      content: [{ type: 'text', text: 'héllo\n' }],
    });
    await transport.terminateSession();
    expect(
      (await post(server.url, call('echo', { text: 'a' }), session(transport.sessionId ?? 'gone'))).status,
    ).toBe(404);
    await client.close();
  });

  test.each(['legacy', 'auto', { pin: '2026-07-28' }] as const)('v2, %j', async (mode) => {
    const client = new ClientV2(INFO, { versionNegotiation: { mode } });
    await client.connect(new HttpV2(new URL(server.url)));
    expect(await client.callTool({ name: 'echo', arguments: { text: 'two' } })).toMatchObject({
      content: [{ type: 'text', text: 'two\n' }],
    });
    await client.close();
  });

  test('a request of 2026-07-28 stands alone: no session is minted', async () => {
    const response = await post(
      server.url,
      {
        ...call('echo', { text: 'x' }),
        params: { name: 'echo', arguments: { text: 'x' }, _meta: modernMeta() },
      },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' },
    );
    expect(response.headers.get('mcp-session-id')).toBeNull();
    // Longer than clients keep a connection that nothing is sent on: none is closed under a request.
    expect(response.headers.get('keep-alive')).toBe('timeout=75');
    expect(await answerOf(response)).toMatchObject({ result: { resultType: 'complete' } });
  });
});

test('an argument __proto__ is refused in every revision', async () => {
  const toolArguments = JSON.parse('{"text":"x","__proto__":"y"}');
  const params = { name: 'echo', arguments: toolArguments };
  const old = await post(server.url, { ...call('echo', {}), params });
  const modern = await post(
    server.url,
    { ...call('echo', {}), params: { ...params, _meta: modernMeta() } },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' },
  );
  for (const response of [old, modern]) {
    expect(await answerOf(response)).toMatchObject({
      result: {
        isError: true,
        content: [{ text: expect.stringContaining('Unknown parameter "__proto__"') }],
      },
    });
  }
});

describe('sessions of old revisions', () => {
  test('an unknown session: 404, and a new handshake works (F147)', async () => {
    expect((await post(server.url, call('echo', { text: 'a' }), session('unknown'))).status).toBe(404);
    const response = await post(server.url, initialize());
    expect(response.headers.get('mcp-session-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a request without session is served by itself', async () => {
    const response = await post(server.url, call('echo', { text: 'alone' }));
    expect(await answerOf(response)).toMatchObject({ result: { content: [{ text: 'alone\n' }] } });
  });

  test('an unsupported revision in the header: 400', async () => {
    const opened = await post(server.url, initialize());
    const id = opened.headers.get('mcp-session-id') ?? '';
    const headers = { ...session(id), 'mcp-protocol-version': '1999-01-01' };
    expect((await post(server.url, call('echo', { text: 'a' }), headers)).status).toBe(400);
  });
});

describe('Host and Origin', () => {
  const hosts: [string, Record<string, string>, number][] = [
    ['Host of loopback', { host: 'localhost:1' }, 200],
    ['Host of IPv6 loopback', { host: '[::1]:1' }, 200],
    ['foreign Host', { host: 'evil.example' }, 403],
    ['Host that begins like loopback', { host: 'localhost.evil.example' }, 403],
    ['address that rebinding leads to', { host: '127.0.0.1.nip.io' }, 403],
    ['Host with a port that there is not', { host: 'localhost:99999' }, 400],
    ['Origin of loopback', { origin: 'http://localhost:3000' }, 200],
    ['Host with a user part', { host: 'evil.example@localhost' }, 403],
    ['Host with a path', { host: 'localhost/evil.example' }, 403],
    ['Host with a backslash', { host: 'localhost\\@evil.example' }, 403],
    ['empty Origin', { origin: '' }, 403],
    ['foreign Origin', { origin: 'http://evil.example' }, 403],
    ['opaque Origin', { origin: 'null' }, 403],
    ['Origin that is no URL', { origin: 'evil' }, 403],
    ['Origin with loopback in its user part', { origin: 'http://localhost@evil.example' }, 403],
  ];

  test.each(hosts)('%s: %j gives %i', async (_, headers, status) => {
    expect((await raw(server.url, headers, JSON.stringify(call('echo', { text: 'a' })))).statusCode).toBe(
      status,
    );
  });

  test('nothing runs for a foreign page, whatever the method', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      const response = await raw(server.url, { origin: 'http://evil.example' }, undefined, method);
      expect(response.statusCode).toBe(403);
    }
  });
});

describe('bounds', () => {
  test.each([
    ['no JSON', '{', {}, 400, -32_700],
    ['another media type', '{}', { 'content-type': 'text/plain' }, 415, -32_600],
    ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415, -32_600],
    ['JSON that is no message', '[]', {}, 400, -32_600],
    ['a number', '5', {}, 400, -32_600],
  ])('%s', async (_, body, headers, status, code) => {
    const response = await post(server.url, body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
  });

  test.each([
    ['tools/list', { cursor: 5 }],
    ['resources/read', {}],
    ['initialize', { protocolVersion: 5 }],
    ['tools/call', { name: 5 }],
    ['tools/call', { name: 'echo', arguments: [] }],
    ['tools/call', { name: 'echo', _meta: { progressToken: {} } }],
  ])('P5, P23, P29: %s with %j is told in a sentence', async (method, params) => {
    const { error } = await answerOf(await post(server.url, { jsonrpc: '2.0', id: 1, method, params }));
    expect(error).toMatchObject({
      code: -32_602,
      message: expect.stringMatching(/^[\w/]+: params\.[^\n]+$/),
    });
    if (method === 'initialize') return;
    const { _meta: more, ...rest } = params as { _meta?: object; name?: unknown };
    const body = { jsonrpc: '2.0', id: 1, method, params: { ...rest, _meta: { ...modernMeta(), ...more } } };
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(rest.name !== undefined && { 'mcp-name': String(rest.name) }),
    };
    expect((await answerOf(await post(server.url, body, headers))).error).toEqual(error);
  });

  test('bytes that are no UTF-8: 400, and nothing is run with others in their place', async () => {
    const text = (bytes: string) =>
      Buffer.from(JSON.stringify(call('echo', { text: 'HERE' })).replace('HERE', bytes), 'latin1');
    const send = (body: Uint8Array) =>
      fetch(server.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body,
      });
    for (const bytes of ['\xff', '\xe6\xbc', '\xed\xa0\x80']) {
      const response = await send(text(bytes));
      expect([response.status, ((await response.json()) as any).error.code]).toEqual([400, -32_700]);
    }
    const answer = await answerOf(await send(Buffer.concat([Buffer.from('\ufeff'), text('\xef\xbf\xbd')])));
    expect(answer.result).toMatchObject({ content: [{ text: '\ufffd\n' }] });
  });

  test('a client that leaves in the middle of its body is no fault of the server', async () => {
    const slow = connectSocket(Number(new URL(server.url).port), '127.0.0.1');
    await once(slow, 'connect');
    const before = server.stderr().length;
    slow.write(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    slow.destroy();
    await vi.waitFor(() => expect(server.stderr().slice(before)).toMatch(/ POST \/mcp 400 /));
  });

  test('a body over 4 MiB: 413, told before it is whole', async () => {
    const response = await raw(server.url, { 'content-length': String(10 * 1024 ** 3) }, 'x'.repeat(100_000));
    expect(response.statusCode).toBe(413);
    const streamed = await raw(server.url, {}, 'x'.repeat(5 * 1024 ** 2));
    expect(streamed.statusCode).toBe(413);
    expect((await post(server.url, call('echo', { text: 'a' }))).status).toBe(200);
  });

  test('a client that sends its request byte by byte holds up nobody', async () => {
    const { port } = new URL(server.url);
    const slow = connectSocket(Number(port), '127.0.0.1');
    await once(slow, 'connect');
    slow.write(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
    );
    expect(await answerOf(await post(server.url, call('echo', { text: 'a' })))).toMatchObject({
      result: { content: [{ text: 'a\n' }] },
    });
    slow.destroy();
  });

  test('another path: 404; health: 200 without a word about the tools', async () => {
    expect((await fetch(new URL('/', server.url))).status).toBe(404);
    const health = await fetch(new URL('/healthz', server.url));
    expect([health.status, await health.text()]).toEqual([200, '{"status":"ok"}']);
    expect((await fetch(new URL('/healthz', server.url), { method: 'HEAD' })).status).toBe(200);
  });

  test('each request has a line on stderr, with the id of its answer and without its query', async () => {
    const response = await fetch(new URL('/nowhere?token=secret', server.url));
    const id = response.headers.get('x-request-id');
    expect(server.stderr()).toMatch(new RegExp(`^mcpify: ${id} GET /nowhere 404 \\d+ ms$`, 'm'));
    expect(server.stderr()).not.toContain('secret');
  });
});

describe('a client that leaves', () => {
  test('2026-07-28: the call is cancelled', async () => {
    const gone = new AbortController();
    const message = {
      ...call('linger'),
      params: { name: 'linger', arguments: { name: 'modern' }, _meta: modernMeta() },
    };
    const response = fetch(server.url, {
      method: 'POST',
      signal: gone.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'linger',
      },
      body: JSON.stringify(message),
    });
    await server.message(({ started }) => started === 'modern');
    gone.abort();
    await expect(response).rejects.toThrow();
    await server.message(({ ended }) => ended === 'modern');
  });
});

describe('a client that does not read', () => {
  const LOG = { 'io.modelcontextprotocol/logLevel': 'error' };
  const modern = {
    body: { ...call('flood'), params: { name: 'flood', arguments: {}, _meta: modernMeta(LOG) } },
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'flood' },
  };
  const ways: [string, object, Record<string, string>][] = [
    ['2026-07-28', modern.body, modern.headers],
    ['older', call('flood'), {}],
  ];

  test.each(ways)('%s: loses log messages, and has its result', async (_, body, headers) => {
    const own = await startHttp(ENTRY);
    const request = requestOnce(own.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    });
    request.end(JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await own.message(({ flooded }) => flooded === true);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
    const logs = text.split('notifications/message').length - 1;
    expect(logs).toBeGreaterThan(10);
    // What lies in the buffers of the two ends is a small part of the 1,500.
    expect(logs).toBeLessThan(500);
    expect(text).toContain('flooded');
    // Who reads gets them, at the pace at which they are read.
    const read = await (await post(own.url, body, headers)).text();
    expect(read.split('notifications/message').length - 1).toBeGreaterThan(1_000);
  });
});

describe('token', () => {
  const TOKEN = 'correct-horse-battery';
  let guarded: HttpServer;

  beforeAll(async () => {
    guarded = await startHttp(ENTRY, { args: ['--token-env', 'TILL_TOKEN'], env: { TILL_TOKEN: TOKEN } });
  });

  test.each([
    ['none', {}],
    ['a wrong one', { authorization: 'Bearer correct-horse-batterx' }],
    ['a part of it', { authorization: 'Bearer correct-horse' }],
    ['another scheme', { authorization: `Basic ${TOKEN}` }],
    ['an empty one', { authorization: 'Bearer ' }],
  ])('%s: 401 with a challenge', async (_, headers) => {
    const response = await post(guarded.url, initialize(), headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="mcpify"/);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toMatch(/"Authorization: Bearer <token>"/);
    expect(error.message).not.toContain(TOKEN);
  });

  test('never from the query', async () => {
    expect((await post(`${guarded.url}?token=${TOKEN}&access_token=${TOKEN}`, initialize())).status).toBe(
      401,
    );
  });

  test('the right one opens; it is in no log', async () => {
    const response = await post(guarded.url, initialize(), { authorization: `Bearer ${TOKEN}` });
    expect(response.status).toBe(200);
    expect(guarded.stderr()).not.toContain(TOKEN);
  });
});

test.each([
  ['with a handshake', undefined],
  ['2026-07-28', modernMeta()],
])('half of a surrogate pair is no character, and leaves as none: %s', async (_, meta) => {
  const message = call('echo', { text: 'a\ud800b, \\ud800, \ud83d\ude00' });
  const response = await post(
    server.url,
    { ...message, params: { ...message.params, ...(meta && { _meta: meta }) } },
    meta && { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' },
  );
  // As it is written: parsers of other languages refuse an escaped half.
  expect(await response.text()).toContain('"a\ufffdb, \\\\ud800, \ud83d\ude00\\n"');
});

test('an id that waits for its answer is refused, and free again behind it', async () => {
  const opened = await post(server.url, initialize());
  const headers = session(opened.headers.get('mcp-session-id') ?? '');
  const first = await post(server.url, call('linger', { name: 'busy' }, 7), headers);
  await server.message(({ started }) => started === 'busy');

  const second = await post(server.url, call('echo', { text: 'a' }, 7), headers);
  expect(second.status).toBe(400);
  expect(await second.json()).toMatchObject({
    error: { code: -32_600, message: expect.stringContaining('7') },
  });
  const twice = [call('echo', { text: 'a' }, 8), call('echo', { text: 'b' }, 8)];
  expect((await post(server.url, twice, headers)).status).toBe(400);
  for (let times = 0; times < 2; times += 1) {
    const answer = await answerOf(await post(server.url, call('echo', { text: 'c' }, 8), headers));
    expect(answer).toMatchObject({ id: 8, result: { content: [{ text: 'c\n' }] } });
  }

  const params = { requestId: 7 };
  await post(server.url, { jsonrpc: '2.0', method: 'notifications/cancelled', params }, headers);
  await server.message(({ ended }) => ended === 'busy');
  // Its stream ends, for its client to have the connection back.
  expect(await first.text()).not.toContain('"id"');
});

test('a stream with a cancelled call and others ends when the others are answered', async () => {
  const opened = await post(server.url, initialize('2025-03-26'));
  const headers = session(opened.headers.get('mcp-session-id') ?? '');
  const batch = [call('linger', { name: 'batch' }, 10), call('echo', { text: 'a' }, 11)];
  const response = await post(server.url, batch, headers);
  await server.message(({ started }) => started === 'batch');

  const params = { requestId: 10 };
  await post(server.url, { jsonrpc: '2.0', method: 'notifications/cancelled', params }, headers);

  const text = await response.text();
  expect(text).toContain('"id":11');
  expect(text).not.toContain('"id":10');
});

test('an id of a request that was refused waits for nothing: it is free at once', async () => {
  const opened = await post(server.url, initialize());
  const headers = session(opened.headers.get('mcp-session-id') ?? '');
  for (const [wrong, status] of [
    [{ accept: 'application/json' }, 406],
    [{ accept: 'text/event-stream' }, 406],
    [{ 'mcp-protocol-version': '1999-01-01' }, 400],
  ] as const) {
    const refused = await post(server.url, call('echo', { text: 'a' }, 9), { ...headers, ...wrong });
    expect(refused.status).toBe(status);
    const answer = await answerOf(await post(server.url, call('echo', { text: 'b' }, 9), headers));
    expect(answer).toMatchObject({ id: 9, result: { content: [{ text: 'b\n' }] } });
  }
});

test('a server that is told to end takes no more requests, and ends when those in flight have', async () => {
  const ending = await startHttp(ENTRY);
  const gone = new AbortController();
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify(call('linger', { name: 'last' }));
  const response = fetch(ending.url, { method: 'POST', headers, body, signal: gone.signal }).catch(() => {});
  await ending.message(({ started }) => started === 'last');
  const stopped = ending.stop();
  await vi.waitFor(() => expect(post(ending.url, initialize())).rejects.toThrow(), { timeout: 15_000 });
  gone.abort();
  await response;
  expect(await stopped).toBe(0);
}, 40_000);

test('a call of a session has its time, too, and streams that wait have none', async () => {
  const ending = await startHttp(ENTRY);
  const opened = await post(ending.url, initialize());
  const headers = session(opened.headers.get('mcp-session-id') ?? '');
  const stream = await fetch(ending.url, { headers: { ...headers, accept: 'text/event-stream' } });
  const answer = post(ending.url, call('linger', { name: 'session', ms: 1_000 }), headers).then(answerOf);
  await ending.message(({ started }) => started === 'session');
  const stopped = ending.stop();
  expect(await answer).toMatchObject({
    result: { content: [{ text: 'Done. The command printed nothing.' }] },
  });
  expect(await stream.text()).toBe('');
  expect(await stopped).toBe(0);
}, 40_000);

test('50 clients with 10 calls each: no error', async () => {
  const results = await Promise.all(
    Array.from({ length: 50 }, async (_, client) => {
      const opened = await post(server.url, initialize());
      const headers = session(opened.headers.get('mcp-session-id') ?? '');
      await opened.text();
      const wrong: unknown[] = [];
      for (let id = 0; id < 10; id += 1) {
        const text = `${client}-${id}`;
        const answer = await answerOf(await post(server.url, call('echo', { text }, id), headers));
        if (answer.id !== id || answer.result?.content[0].text !== `${text}\n`) wrong.push(answer);
      }
      await fetch(server.url, { method: 'DELETE', headers });
      return wrong;
    }),
  );
  expect(results.flat()).toEqual([]);
});

test('a port that is in use: told as that, with the way out', async () => {
  const second = startServer(ENTRY, { args: ['--http', '--port', new URL(server.url).port] });
  expect(await second.exited).toEqual({ exitCode: 1, signal: null });
  expect(second.stderr).toMatch(
    /^mcpify: Cannot listen on 127\.0\.0\.1, port \d+: another process has that port\..*\n$/,
  );
});

function session(id: string): Record<string, string> {
  return { 'mcp-session-id': id };
}

/** With headers that `fetch` does not let a caller set. */
async function raw(
  url: string,
  headers: Record<string, string>,
  body?: string,
  method = 'POST',
): Promise<IncomingMessage> {
  const request = requestOnce(url, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
  // A server that has answered may close before it has read all.
  request.on('error', () => {});
  if (headers['content-length'] === undefined) request.end(body);
  else request.write(body ?? '');
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  if (headers['content-length'] !== undefined) request.destroy();
  return response;
}
