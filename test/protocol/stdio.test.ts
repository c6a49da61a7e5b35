import { describe, expect, test } from 'vitest';

import { modernMeta, startServer, type Message, type RawServer } from '../wire/connect.js';

const ENTRY = 'test/conformance/dist/mcp.js';
const CALL = { name: 'test_simple_text', arguments: {} };
const ANSWER = { content: [{ type: 'text', text: 'This is a simple text response for testing.\n' }] };

/** A server of the old era, behind its handshake. */
async function opened(version = '2025-11-25'): Promise<RawServer> {
  const server = startServer(ENTRY);
  await server.initialize(version);
  return server;
}

let shared: Promise<RawServer> | undefined;

/** One for all tests that leave nothing behind but their answers. */
function any(): Promise<RawServer> {
  return (shared ??= opened());
}

/** Sends a line as it is; resolves with the next message that answers no request of ours. */
function answerTo(server: RawServer, line: string | Uint8Array): Promise<Message> {
  const { length } = server.messages;
  server.send(line);
  return server.message((each) => (each.id ?? null) === null && server.messages.indexOf(each) >= length);
}

/** The server has taken no harm. */
async function expectAlive(server: RawServer): Promise<void> {
  expect((await server.request('tools/call', CALL)).result).toMatchObject(ANSWER);
}

describe('framing', () => {
  test('P1: a line may come in any pieces, also through the middle of a character', async () => {
    const server = await any();
    const line = Buffer.from(
      `${JSON.stringify({ jsonrpc: '2.0', id: 'é', method: 'tools/call', params: { name: 'test_unicode', arguments: { text: 'aé漢👋🏽' } } })}\n`,
    );
    for (const byte of line) server.send(Uint8Array.of(byte));
    expect((await server.answerTo('é')).result?.['content'][0].text).toBe('aé漢👋🏽\n');
  });

  test('P1: a line break and a separator inside a text stay inside one line', async () => {
    const server = await opened();
    const text = 'a\nb\r\u2028\u2029\u0000\u001b[0m';
    const { result } = await server.request('tools/call', { name: 'test_unicode', arguments: { text } });
    expect(result?.['isError']).toBeUndefined();
    expect(server.stdoutLines).toHaveLength(2);
  });

  test.each([
    ['no JSON', '{"jsonrpc":"2.0","id":1,\n'],
    ['plain text', 'hello secret-word\n'],
    ['a number with a tail', '1 2\n'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a])],
    ['a character cut in its middle', Buffer.from([0x22, 0xe6, 0xbc, 0x22, 0x0a])],
  ])('P3, P4: %s is a parse error with id null, and the session goes on', async (_, line) => {
    const server = await any();
    expect(await answerTo(server, line)).toMatchObject({ id: null, error: { code: -32_700 } });
    await expectAlive(server);
    expect(server.stderr).toBe('');
  });

  test('P3: 100,000 levels of nesting do no harm', async () => {
    const server = await any();
    server.send(`${'['.repeat(100_000)}\n`);
    await expectAlive(server);
    const closed = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(await answerTo(server, `${closed}\n`)).toMatchObject({ error: { code: -32_600 } });
    await expectAlive(server);
  });

  test('P4: in the new era an error without an id has none', async () => {
    const server = startServer(ENTRY);
    await server.request('tools/list', { _meta: modernMeta() });
    expect(await answerTo(server, '{\n')).toEqual({
      jsonrpc: '2.0',
      error: { code: -32_700, message: expect.any(String) as string },
    });
  });

  test.each([
    ['a text', '"x"'],
    ['null', 'null'],
    ['an object', '{}'],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    ['null as id', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['a fraction as id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}'],
    ['an id beyond what numbers hold', '{"jsonrpc":"2.0","id":1e400,"method":"ping"}'],
    ['an id that numbers would change', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}'],
    ['an object as id', '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
  ])('P5: %s is no request', async (_, line) => {
    const server = await any();
    expect(await answerTo(server, `${line}\n`)).toMatchObject({ id: null, error: { code: -32_600 } });
    await expectAlive(server);
  });

  test.each([
    ['neither method nor result', {}],
    ['a method that is no text', { method: 5 }],
    ['params that are a list', { method: 'ping', params: [] }],
    ['params that are null', { method: 'ping', params: null }],
  ])('P5: %s is told under its id', async (what, message) => {
    const server = await any();
    const id = `told ${what}`;
    server.send({ jsonrpc: '2.0', ...message, id });
    expect((await server.answerTo(id)).error?.code).toBe(-32_600);
  });

  test.each([
    ['initialize', { protocolVersion: 5 }],
    ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: 'me' }],
    ['tools/list', { cursor: 5 }],
    ['logging/setLevel', {}],
    ['tools/call', { ...CALL, _meta: 5 }],
    ['tools/call', { ...CALL, _meta: { progressToken: {} } }],
  ])('P5: %s with %j is told in a sentence', async (method, params) => {
    const server = method === 'initialize' ? startServer(ENTRY) : await any();
    const { error } = await server.request(method, params);
    expect(error?.code).toBe(-32_602);
    expect(error?.message).toMatch(/^[\w/]+: params\.[^\n]+$/);
    if (method === 'initialize') await server.initialize();
    await expectAlive(server);
  });

  test.each([0, -1, 9_007_199_254_740_991, '', '1', ' ', '__proto__', 'a'.repeat(10_000)])(
    'P5: %j is an id',
    async (id) => {
      const server = await any();
      server.send({ jsonrpc: '2.0', id, method: 'ping' });
      expect((await server.answerTo(id)).result).toEqual({});
    },
  );

  test('P5: an id in use is refused, and the first request keeps its answer', async () => {
    const server = await any();
    const slow = {
      jsonrpc: '2.0',
      id: 'x',
      method: 'tools/call',
      params: { name: 'test_tool_with_logging' },
    };
    server.send(slow);
    const refused = await answerTo(server, `${JSON.stringify(slow)}\n`);
    expect(refused).toMatchObject({ id: null, error: { code: -32_600 } });
    expect((await server.answerTo('x')).result?.['content'][0].text).toContain('completed');
  });

  test('P5: members of a sender’s own are passed over', async () => {
    const server = startServer(ENTRY);
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    server.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params, trace: 'x', result: 1 });
    expect((await server.answerTo(1)).result?.['protocolVersion']).toBe('2025-11-25');
    server.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: CALL, extra: null });
    expect((await server.answerTo(2)).result).toMatchObject(ANSWER);
  });

  test('P5: nothing answers an answer', async () => {
    const server = await opened();
    const before = server.messages.length;
    server.send({ jsonrpc: '2.0', error: { code: -32_600, message: 'no' } });
    server.send({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'no' } });
    server.send({ jsonrpc: '2.0', id: 77, result: {} });
    await expectAlive(server);
    expect(server.messages).toHaveLength(before + 1);
    expect(server.stderr).toBe('');
  });

  test('P6: a notification with an id is refused under it', async () => {
    const server = await any();
    server.send({ jsonrpc: '2.0', id: 'p6', method: 'notifications/initialized' });
    expect((await server.answerTo('p6')).error?.code).toBe(-32_600);
  });

  test.each(['2024-11-05', '2025-03-26'])('P7: a batch in %s is answered by one', async (version) => {
    const server = await opened(version);
    const lines = server.stdoutLines.length;
    server.send([
      { jsonrpc: '2.0', id: 'a', method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: CALL },
      5,
      { jsonrpc: '2.0', id: 'c', method: 'initialize', params: {} },
    ]);
    expect((await server.answerTo('b')).result).toMatchObject(ANSWER);
    expect((await server.answerTo('c')).error?.code).toBe(-32_600);
    expect(server.stdoutLines).toHaveLength(lines + 1);
    expect(JSON.parse(server.stdoutLines.at(-1) ?? '')).toHaveLength(4);
    expect(await answerTo(server, '[]\n')).toMatchObject({ error: { code: -32_600 } });
  });

  test('P7: a batch of notifications has no answer', async () => {
    const server = await opened('2025-03-26');
    const before = server.messages.length;
    server.send([{ jsonrpc: '2.0', method: 'notifications/initialized' }]);
    await expectAlive(server);
    expect(server.messages).toHaveLength(before + 1);
  });

  test.each(['2025-06-18', '2025-11-25'])('P7: a batch in %s is refused once', async (version) => {
    const server = await opened(version);
    const ping = { jsonrpc: '2.0', id: 'a', method: 'ping' };
    expect(await answerTo(server, `${JSON.stringify([ping, ping])}\n`)).toMatchObject({
      error: { code: -32_600 },
    });
    await expectAlive(server);
  });

  test('P8: a line over 4 MiB is refused once, and one of 3 MiB is served', async () => {
    const server = await opened();
    const text = (size: number) => ({ name: 'test_unicode', arguments: { text: 'x'.repeat(size) } });
    expect((await server.request('tools/call', text(3 * 1024 ** 2))).result?.['content'][0].text).toBe(
      `length ${3 * 1024 ** 2}\n`,
    );
    const long = `{"jsonrpc":"2.0","id":"long","method":"ping","params":{"a":"${'x'.repeat(11 * 1024 ** 2)}"}}\n`;
    expect(await answerTo(server, long)).toMatchObject({ error: { code: -32_600 } });
    await expectAlive(server);
  });

  test('P9: blank lines, CRLF and a byte order mark are passed over; a last line needs no end', async () => {
    const server = startServer(ENTRY);
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    server.send(
      `\uFEFF${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\r\n\r\n\n  \n`,
    );
    await server.answerTo(1);
    server.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }));
    expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
    expect(server.messages.map(({ id }) => id)).toEqual([1, 2]);
  });

  test('P10: what runs when the input ends is answered, then the process ends by itself', async () => {
    const server = await opened();
    const answer = server.request('tools/call', { name: 'test_tool_with_logging' });
    expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
    expect((await answer).result?.['content'][0].text).toContain('completed');
  });

  test('P11: without a reader the server ends by itself, in silence', async () => {
    const server = await opened();
    server.process.stdout?.destroy();
    server.send({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params: CALL });
    expect(await server.exited).toEqual({ exitCode: 0, signal: null });
    expect(server.stderr).toBe('');
  });

  test('P12: 1,000 calls at once are answered once each, without a warning', async () => {
    const server = await opened();
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        server.request('tools/call', { name: 'greet', arguments: { name: String(index) } }),
      ),
    );
    expect(answers.map(({ result }) => result?.['content'][0].text)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => `Hello, ${index}!`),
    );
    expect(new Set(server.messages.map(({ id }) => id)).size).toBe(server.messages.length);
    expect(server.stderr).toBe('');
  });
});

describe('revisions', () => {
  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'P13: %s is spoken',
    async (version) => {
      const server = startServer(ENTRY);
      expect((await server.initialize(version)).result?.['protocolVersion']).toBe(version);
    },
  );

  test.each(['2023-01-01', '2099-01-01', 'x', ''])('P13: for %j the newest is offered', async (version) => {
    const server = startServer(ENTRY);
    expect((await server.initialize(version)).result?.['protocolVersion']).toBe('2025-11-25');
  });

  test.each([
    ['no envelope', undefined],
    ['no revision', { 'io.modelcontextprotocol/clientCapabilities': {} }],
    ['no capabilities', { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }],
  ])('P14: %s in a request of the new era: -32602', async (_, meta) => {
    const server = startServer(ENTRY);
    await server.request('tools/list', { _meta: modernMeta() });
    for (const method of ['tools/list', 'server/discover']) {
      const { error } = await server.request(method, meta && { _meta: meta });
      expect(error?.code).toBe(-32_602);
      expect(error?.message.length).toBeLessThan(300);
    }
  });

  test('P15: an unknown revision is refused on every request, with those that are spoken', async () => {
    const server = startServer(ENTRY);
    for (let round = 0; round < 2; round += 1) {
      const _meta = { ...modernMeta(), 'io.modelcontextprotocol/protocolVersion': '2031-01-01' };
      const { error } = await server.request('tools/list', { _meta });
      expect(error).toMatchObject({ code: -32_022, data: { requested: '2031-01-01' } });
      expect(error?.data.supported).toContain('2026-07-28');
      expect(
        (await server.request('tools/list', { _meta: modernMeta() })).result?.['tools'],
      ).not.toHaveLength(0);
    }
  });

  test('P16: discover tells revisions, capabilities and how long that holds', async () => {
    const server = startServer(ENTRY);
    const { result } = await server.request('server/discover', { _meta: modernMeta() });
    expect(result).toMatchObject({
      resultType: 'complete',
      capabilities: { tools: {}, logging: {} },
      ttlMs: expect.any(Number) as number,
      cacheScope: 'public',
    });
    expect(result?.['supportedVersions']).toContain('2026-07-28');
  });

  test('P17: results of the new era have a resultType, those of the old have nothing of it', async () => {
    const modern = startServer(ENTRY);
    for (const [method, params] of [
      ['tools/list', {}],
      ['tools/call', CALL],
    ] as const) {
      const { result } = await modern.request(method, { ...params, _meta: modernMeta() });
      expect(result?.['resultType']).toBe('complete');
    }
    const old = await opened();
    for (const [method, params] of [
      ['tools/list', {}],
      ['tools/call', CALL],
    ] as const) {
      const { result } = await old.request(method, params);
      expect(Object.keys(result ?? {})).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/resultType|ttlMs|cacheScope/)]),
      );
    }
  });

  test('P18: after discover a handshake still works', async () => {
    const server = startServer(ENTRY);
    await server.request('server/discover', { _meta: modernMeta() });
    expect((await server.initialize()).result?.['protocolVersion']).toBe('2025-11-25');
    await expectAlive(server);
  });

  test.each(['ping', 'logging/setLevel', 'resources/subscribe', 'tasks/list', 'tasks/result'])(
    'P19: %s is not of the new era',
    async (method) => {
      const server = startServer(ENTRY);
      await server.request('tools/list', { _meta: modernMeta() });
      expect((await server.request(method, { _meta: modernMeta() })).error?.code).toBe(-32_601);
    },
  );

  test.each(['no/such', 'prompts/list', 'completion/complete', 'sampling/createMessage'])(
    'P19: %s is answered in both eras: there is no such method',
    async (method) => {
      const server = await any();
      expect((await server.request(method)).error?.code).toBe(-32_601);
      const modern = startServer(ENTRY);
      expect((await modern.request(method, { _meta: modernMeta() })).error?.code).toBe(-32_601);
      await expectAlive(server);
    },
  );

  test('P20: the server asks nothing', async () => {
    const server = startServer(ENTRY);
    await server.request('tools/call', { name: 'test_streaming_elicitation', _meta: modernMeta() });
    expect(server.messages.filter(({ id, method }) => id !== undefined && method !== undefined)).toEqual([]);
  });
});

describe('tools', () => {
  test.each([
    ['an unknown tool', { name: 'nothing' }],
    ['no name', {}],
    ['a name that is no text', { name: 5 }],
    ['arguments that are a list', { ...CALL, arguments: [] }],
    ['arguments that are a text', { ...CALL, arguments: '{}' }],
    ['a name of Object', { name: 'constructor' }],
  ])('P23: %s: -32602, in both eras', async (_, params) => {
    const old = await any();
    expect((await old.request('tools/call', params)).error?.code).toBe(-32_602);
    await expectAlive(old);
    const modern = startServer(ENTRY);
    expect((await modern.request('tools/call', { ...params, _meta: modernMeta() })).error?.code).toBe(
      -32_602,
    );
  });

  test('P24, P25: wrong arguments and failed commands are results', async () => {
    const server = await any();
    const wrong = await server.request('tools/call', { name: 'greet', arguments: { nam: 'a' } });
    expect(wrong.result).toMatchObject({ isError: true });
    expect(wrong.result?.['content'][0].text).toMatch(/"nam".*name/s);
    const failed = await server.request('tools/call', { name: 'test_error_handling' });
    expect(failed.result).toMatchObject({ isError: true });
  });

  test('P28: the list is the same before and behind calls, and in both eras', async () => {
    const server = await opened();
    const before = (await server.request('tools/list')).result?.['tools'];
    await expectAlive(server);
    expect((await server.request('tools/list')).result?.['tools']).toEqual(before);
    const modern = startServer(ENTRY);
    expect((await modern.request('tools/list', { _meta: modernMeta() })).result?.['tools']).toEqual(before);
  });

  test('P29: an unknown cursor: -32602', async () => {
    const server = await any();
    expect((await server.request('tools/list', { cursor: 'x' })).error?.code).toBe(-32_602);
    expect((await server.request('tools/list', { cursor: '' })).error?.code).toBe(-32_602);
  });

  test('P30: all four hints are written out', async () => {
    const server = await any();
    const { result } = await server.request('tools/list');
    for (const { annotations } of result?.['tools'] ?? []) {
      for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
        expect(annotations[hint]).toBeTypeOf('boolean');
      }
    }
  });
});

describe('progress, logs, cancellation', () => {
  test.each([0, 7, '', 'token'])(
    'P35: token %j comes back as it was, rising, never after the result',
    async (token) => {
      const server = await opened();
      const params = { name: 'test_tool_with_progress', _meta: { progressToken: token } };
      const { id } = await server.request('tools/call', params);
      await expectAlive(server);
      const reports = server.messages.filter(({ method }) => method === 'notifications/progress');
      expect(reports.map(({ params: { progressToken } = {} }) => progressToken)).toEqual(
        reports.map(() => token),
      );
      const values = reports.map(({ params: { progress } = {} }) => progress as number);
      expect(values).toEqual([0, 50, 100]);
      const last = server.messages.findLastIndex(({ method }) => method === 'notifications/progress');
      expect(last).toBeLessThan(server.messages.findIndex((each) => each.id === id && each.result));
    },
  );

  test('P35: no token, no progress', async () => {
    const server = await opened();
    await server.request('tools/call', { name: 'test_tool_with_progress' });
    expect(server.messages.some(({ method }) => method === 'notifications/progress')).toBe(false);
  });

  test('P36: old era: the level is the session’s; an unknown one is refused', async () => {
    const server = await opened();
    const logs = () => server.messages.filter(({ method }) => method === 'notifications/message').length;
    await server.request('tools/call', { name: 'test_logging_tool' });
    expect(logs()).toBe(0);
    expect((await server.request('logging/setLevel', { level: 'loud' })).error?.code).toBe(-32_602);
    await server.request('logging/setLevel', { level: 'info' });
    await server.request('tools/call', { name: 'test_logging_tool' });
    expect(logs()).toBe(1);
    await server.request('logging/setLevel', { level: 'error' });
    await server.request('tools/call', { name: 'test_logging_tool' });
    expect(logs()).toBe(1);
  });

  test('P36: new era: only where the request asks', async () => {
    const server = startServer(ENTRY);
    const logs = () => server.messages.filter(({ method }) => method === 'notifications/message').length;
    const call = (level?: string) => {
      const _meta = modernMeta(level === undefined ? {} : { 'io.modelcontextprotocol/logLevel': level });
      return server.request('tools/call', { name: 'test_logging_tool', _meta });
    };
    await call();
    await call('error');
    expect(logs()).toBe(0);
    await call('info');
    expect(logs()).toBe(1);
  });

  test.each(['old', 'new'])(
    'P38: %s era: a cancelled call has no answer and nothing further',
    async (era) => {
      const server = era === 'old' ? await opened() : startServer(ENTRY);
      const _meta = { ...(era === 'new' && modernMeta()), progressToken: 'p' };
      server.send({
        jsonrpc: '2.0',
        id: 'gone',
        method: 'tools/call',
        params: { name: 'test_tool_with_progress', _meta },
      });
      await server.message(({ method }) => method === 'notifications/progress');
      server.notify('notifications/cancelled', { requestId: 'gone', reason: 'enough' });
      const before = server.messages.length;
      const params = { name: 'test_tool_with_logging', ...(era === 'new' && { _meta: modernMeta() }) };
      await server.request('tools/call', params);
      expect(
        server.messages
          .slice(before)
          .filter(({ id, params: more }) => id === 'gone' || more?.['progressToken']),
      ).toEqual([]);
    },
  );

  test('P38: cancellations of nothing are passed over; ids are compared with their type', async () => {
    const server = await opened();
    server.send({ jsonrpc: '2.0', id: 50, method: 'tools/call', params: { name: 'test_tool_with_logging' } });
    for (const requestId of ['50', 51, null, {}, undefined]) {
      server.notify('notifications/cancelled', { requestId });
    }
    server.notify('notifications/cancelled');
    expect((await server.answerTo(50)).result?.['content'][0].text).toContain('completed');
    await expectAlive(server);
    expect(server.stderr).toBe('');
  });
});
