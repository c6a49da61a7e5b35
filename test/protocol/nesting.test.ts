import { beforeAll, describe, expect, test } from 'vitest';

import { answerOf, post, startHttp, type HttpServer } from '../http/http-server.js';
import { modernMeta, startServer, type Message, type RawServer } from '../wire/connect.js';

/* JSON that is nested so deep that whatever goes down it by recursion runs out of stack. */

const ENTRY = 'test/protocol/fixtures/nesting-mcp.mjs';

/** Levels of the message around the value of an argument. */
const AROUND = 3;
const MOST = 1_000 - AROUND;
const INITIALIZE = { protocolVersion: '2025-11-25', clientInfo: { name: 'raw', version: '1.0.0' } };

let old: RawServer;
let modern: RawServer;
let http: HttpServer;

beforeAll(async () => {
  old = startServer(ENTRY);
  await old.initialize();
  modern = startServer(ENTRY);
  http = await startHttp(ENTRY);
});

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** A request as text: `JSON.stringify` could not write it. */
function toText(id: string, method: string, params: object, value: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params }).replace('"VALUE"', value);
}

const call = (tool: string, more: object = {}) => ({ name: tool, arguments: { value: 'VALUE' }, ...more });
let count = 0;

async function send(server: RawServer, method: string, params: object, value: string): Promise<Message> {
  const id = `nested ${(count += 1)}`;
  server.send(`${toText(id, method, params, value)}\n`);
  return server.answerTo(id);
}

async function sendByHttp(method: string, params: object, value: string, headers = {}): Promise<Message> {
  return answerOf(await post(http.url, toText('http', method, params, value), headers));
}

const MODERN_HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };

const WAYS: Readonly<Record<string, (tool: string, value: string) => Promise<Message>>> = {
  'with a handshake': (tool, value) => send(old, 'tools/call', call(tool), value),
  'with a handshake, by the SDK': (tool, value) => send(old, 'tools/call', call(tool, { more: 1 }), value),
  '2026-07-28': (tool, value) => send(modern, 'tools/call', call(tool, { _meta: modernMeta() }), value),
  'over HTTP': (tool, value) => sendByHttp('tools/call', call(tool), value),
  '2026-07-28 over HTTP': (tool, value) =>
    sendByHttp('tools/call', call(tool, { _meta: modernMeta() }), value, {
      ...MODERN_HEADERS,
      'mcp-name': tool,
    }),
};

const TOO_DEEP = { code: -32_600, message: 'Invalid request: nested deeper than 1000 levels' };

describe.each(Object.entries(WAYS))('%s', (_, send) => {
  test('an argument of 1,000 levels is an argument', async () => {
    const value = nested(MOST);
    expect((await send('take', value)).result).toMatchObject({
      content: [{ text: `${value.length} characters\n` }],
    });
  });

  test('where its schema refers to itself, it is refused as any other value', async () => {
    expect((await send('tree', nested(50))).result?.['isError']).toBeUndefined();
    expect((await send('tree', nested(MOST))).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('It is nested too deep to be checked.') }],
    });
  });

  test.each([MOST + 1, 50_000])('P5: %i levels are refused under their id', async (levels) => {
    for (const tool of ['take', 'nothing']) {
      const { id, error } = await send(tool, nested(levels));
      expect(error).toEqual(TOO_DEEP);
      expect(id).toEqual(expect.stringMatching(/./));
    }
  });
});

test('other places and other methods', async () => {
  const deep = nested(50_000);
  const handshake = { ...INITIALIZE, capabilities: { experimental: 'VALUE' } };
  const first = startServer(ENTRY);
  expect((await send(first, 'initialize', handshake, deep)).error).toEqual(TOO_DEEP);
  expect((await first.initialize()).result).toBeDefined();
  const refused = await post(http.url, toText('deep', 'initialize', handshake, deep));
  expect([refused.status, await refused.json()]).toEqual([
    400,
    { jsonrpc: '2.0', id: 'deep', error: TOO_DEEP },
  ]);
  const list = '['.repeat(50_000) + ']'.repeat(50_000);
  for (const params of [{ _meta: { a: 'VALUE' } }, { cursor: 'VALUE' }, { other: 'VALUE' }]) {
    expect((await send(old, 'tools/list', params, list)).error).toEqual(TOO_DEEP);
  }
  const batch = await post(http.url, `[${toText('b', 'ping', { a: 'VALUE' }, deep)}]`);
  expect([batch.status, await batch.json()]).toEqual([400, { jsonrpc: '2.0', id: null, error: TOO_DEEP }]);
});

test('JSON in a text is read as deep as a request, and is a text otherwise', async () => {
  const list = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const run = async (value: string) =>
    (await old.request('tools/call', { name: 'list', arguments: { value } })).result;
  expect(await run(list(1_000))).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('"value[0]" must be a text') }],
  });
  for (const levels of [1_001, 50_000]) {
    expect(await run(list(levels))).toEqual({ content: [{ type: 'text', text: `${2 * levels}\n` }] });
  }
});

describe('what a command gives', () => {
  const run = async (server: RawServer, tool: string, levels: number) => {
    const _meta = server === modern ? modernMeta({ 'io.modelcontextprotocol/logLevel': 'error' }) : undefined;
    const params = { name: tool, arguments: { levels: String(levels) }, ...(_meta && { _meta }) };
    return (await server.request('tools/call', params)).result;
  };

  test.each(['give', 'give_list', 'give_beside', 'give_meta', 'print'])(
    '%s: too deep is a failure that says so',
    async (tool) => {
      for (const server of [old, modern]) {
        for (const levels of [1_500, 4_000, tool === 'print' ? 10_000 : 50_000]) {
          const result = await run(server, tool, levels);
          expect(result).toMatchObject({ isError: true });
          expect(result?.['content'].at(-1).text).toContain('nested deeper than 1000 levels');
          expect(result).not.toHaveProperty('structuredContent');
        }
        expect((await run(server, tool, 900))?.['isError'] ?? false).toBe(false);
      }
    },
  );

  test('a log message that is too deep harms nothing', async () => {
    for (const server of [old, modern]) {
      for (const levels of [1_500, 4_000, 50_000]) {
        expect(await run(server, 'log', levels)).toMatchObject({ content: [{ text: 'logged\n' }] });
      }
      expect(server.messages.filter(({ params }) => params?.['data'] === 'behind')).toHaveLength(3);
    }
  });
});
