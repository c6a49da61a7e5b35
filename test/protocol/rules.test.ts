import { beforeAll, describe, expect, test } from 'vitest';

import { answerOf, call, initialize, post, startHttp, type HttpServer } from '../http/http-server.js';
import { modernMeta, startServer, type Message, type RawServer } from '../wire/connect.js';

/* Rules of the protocol beside framing and revisions (docs/protocol.md), on stdio and over HTTP. */

const ENTRY = 'test/protocol/fixtures/rules-mcp.mjs';
const HANDSHAKES = ['2024-11-05', '2025-11-25'];
const LOGS = { 'io.modelcontextprotocol/logLevel': 'debug' };

let old: RawServer;
let modern: RawServer;
let http: HttpServer;

beforeAll(async () => {
  old = startServer(ENTRY);
  await old.initialize();
  await old.request('logging/setLevel', { level: 'debug' });
  modern = startServer(ENTRY);
  http = await startHttp('test/fixtures/http/mcp.mjs');
});

type Ask = (method: string, params?: object) => Promise<Message>;

const ERAS: Readonly<Record<string, Ask>> = {
  old: (method, params = {}) => old.request(method, params),
  new: (method, params = {}) => modern.request(method, { ...params, _meta: modernMeta(LOGS) }),
};

const HEADERS = { 'mcp-protocol-version': '2026-07-28' };

function asModern(method: string, params: object = {}, meta: object = {}) {
  return { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...modernMeta(), ...meta } } };
}

describe.each(Object.entries(ERAS))('%s era', (era, ask) => {
  const run = async (name: string, toolArguments: object = {}) =>
    (await ask('tools/call', { name, arguments: toolArguments })).result;

  test('P2: whatever a command writes, stdout has messages alone', async () => {
    expect((await run('noise'))?.['content'][0].text).toBe(
      'by console.log\nby process.stdout\nby descriptor\nby a child\n',
    );
    const server = era === 'old' ? old : modern;
    await server.stderrText(/too late/);
    expect(server.stdoutLines.length).toBeGreaterThan(0);
    for (const line of server.stdoutLines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  test('P26, P27: names and schemas that every client takes', async () => {
    const { tools } = (await ask('tools/list')).result as { tools: any[] };
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, inputSchema } of tools) {
      expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/);
      expect(inputSchema).toMatchObject({
        type: 'object',
        properties: expect.any(Object),
        additionalProperties: false,
      });
      expect(JSON.stringify(inputSchema)).not.toMatch(/"\$(?:schema|ref)"/);
    }
  });

  test('P32: with an output schema there is structured content that matches it, and its JSON as text', async () => {
    const { tools } = (await ask('tools/list')).result as { tools: any[] };
    const { outputSchema } = tools.find(({ name }) => name === 'count');
    expect(outputSchema).toMatchObject({ type: 'object', required: ['count'] });
    for (const [give, count] of [
      ['object', 3],
      ['print', 4],
    ] as const) {
      const result = await run('count', { give });
      expect(result?.['structuredContent']).toEqual({ count });
      expect(JSON.parse(result?.['content'][0].text)).toEqual({ count });
    }
    for (const give of ['text', 'nothing']) {
      const result = await run('count', { give });
      expect(result).toMatchObject({ isError: true });
      expect(result).not.toHaveProperty('structuredContent');
    }
  });

  test('P33: handles are random, and one that is not there is told as a result', async () => {
    const taskIds = [];
    for (let count = 0; count < 3; count += 1) {
      taskIds.push((await run('later'))?.['structuredContent'].taskId as string);
    }
    const minted = [];
    for (let count = 0; count < 3; count += 1) {
      const { content } = (await run('count', { session: 'new' })) ?? {};
      minted.push(/"session": "(\w+)"/.exec(JSON.stringify(content).replaceAll('\\"', '"'))?.[1] ?? '');
    }
    for (const handles of [taskIds, minted]) {
      expect(new Set(handles).size).toBe(3);
      // 122 random bits are at least so many letters and digits; nothing of the beginning says what the end is.
      for (const handle of handles) expect(handle).toMatch(/^\w{21,}$/);
      expect(new Set(handles.map((handle) => handle.slice(-12))).size).toBe(3);
    }
    for (const [name, toolArguments] of [
      ['task_status', { taskId: `${taskIds[0]}x` }],
      ['task_result', { taskId: 'nothing' }],
      ['count', { session: `${minted[0]}x` }],
    ] as const) {
      const result = await run(name, toolArguments);
      expect(result).toMatchObject({ isError: true });
      expect(result?.['content'][0].text).toMatch(/no such task|session/i);
    }
  });

  test('P37: no secret is in a log message', async () => {
    const server = era === 'old' ? old : modern;
    const before = server.messages.length;
    await run('sign_in', { apiToken: 's3cret & value' });
    const logs = server.messages.slice(before).filter(({ method }) => method === 'notifications/message');
    expect(logs).toHaveLength(3);
    expect(JSON.stringify(logs)).not.toMatch(/s3cret/);
    expect(JSON.stringify(logs)).toContain('signed in with');
  });
});

describe('the codes of errors', () => {
  /** JSON-RPC's own, and those that the specification gives a meaning. */
  const KNOWN = new Set([-32_700, -32_600, -32_601, -32_602, -32_603, -32_020, -32_021, -32_022]);

  test('P21: are JSON-RPC’s or the specification’s, on stdio', async () => {
    const server = startServer(ENTRY);
    const ask = (method: string, params: object = {}, meta: object = {}) =>
      server.request(method, { ...params, _meta: { ...modernMeta(), ...meta } });
    await ask('tools/list');
    const answers = [
      await ask('tools/list', {}, { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' }),
      await server.request('tools/list'),
      await ask('tools/call', { name: 'nothing' }),
      await ask('tools/call', { name: 5 }),
      await ask('nothing'),
      await ask('ping'),
      await ask('tools/list', { cursor: 'x' }),
      await ask('resources/read', { uri: 'mcpify://tasks/nothing/log' }),
      await ask('tasks/get', { taskId: 't' }),
      await ask('tasks/get', { taskId: 't' }, TASKS),
      await ask('subscriptions/listen', { notifications: { taskIds: ['t'] } }),
      await ask('tools/call', { name: 'count', requestState: 'x' }),
    ];
    for (const line of ['{', '5', '[]', '{"jsonrpc":"2.0","id":null,"method":"ping"}']) {
      const { length } = server.messages;
      server.send(`${line}\n`);
      answers.push(await server.message((each) => server.messages.indexOf(each) >= length));
    }
    for (const { error } of answers) expect(KNOWN).toContain(error?.code);
    expect(new Set(answers.map(({ error }) => error?.code))).not.toContain(-32_603);
  });

  test('P21: over HTTP, too, whatever the status is', async () => {
    const json = { 'content-type': 'application/json' };
    const modernCall = { ...HEADERS, 'mcp-method': 'tools/call', 'mcp-name': 'echo' };
    const echo = asModern('tools/call', { name: 'echo', arguments: { text: 'a' } });
    const guarded = await startHttp('test/fixtures/http/mcp.mjs', {
      args: ['--token-env', 'TILL'],
      env: { TILL: 'correct-horse-battery' },
    });
    const responses = [
      await post(http.url, '{', modernCall),
      await post(http.url, echo, { ...modernCall, 'content-type': 'text/plain' }),
      await post(http.url, ' '.repeat(5 * 1024 ** 2), modernCall),
      await post(http.url, echo, { ...modernCall, origin: 'http://evil.example' }),
      await post(http.url, echo, { ...modernCall, 'mcp-name': 'another' }),
      await post(http.url, echo, { ...modernCall, 'mcp-protocol-version': '2031-01-01' }),
      await post(http.url, { ...echo, params: { ...echo.params, _meta: 5 } }, modernCall),
      await post(http.url, asModern('nothing'), { ...HEADERS, 'mcp-method': 'nothing' }),
      await post(http.url.replace('/mcp', '/other'), echo, modernCall),
      await post(guarded.url, echo, modernCall),
      await fetch(http.url, { headers: { ...json, ...HEADERS } }),
      await fetch(http.url, { method: 'DELETE', headers: { ...HEADERS, 'mcp-session-id': 'x' } }),
      await fetch(http.url, { method: 'PUT', headers: { ...json, ...HEADERS }, body: '{}' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([
      400, 415, 413, 403, 400, 400, 400, 404, 404, 401, 405, 405, 405,
    ]);
    for (const response of responses) {
      const { error } = (await response.json()) as Message;
      expect(KNOWN).toContain(error?.code);
      expect(error?.code).not.toBe(-32_603);
    }
  });
});

const TASKS = {
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

test('P22: who the client says it is changes nothing', async () => {
  const names = ['claude-code', '', 'x'.repeat(10_000)];
  const answers = new Set<string>();
  for (const name of names) {
    const clientInfo = { name, version: '1.0.0', title: name };
    const server = startServer(ENTRY);
    const { result } = await server.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo,
    });
    const list = await server.request('tools/list');
    const called = await server.request('tools/call', { name: 'count', arguments: {} });
    answers.add(JSON.stringify([result, list.result, called.result]));
  }
  expect(answers.size).toBe(1);
  const modernAnswers = new Set<string>();
  for (const name of [...names, undefined]) {
    const info = name === undefined ? undefined : { name, version: '1.0.0' };
    const _meta = modernMeta({ 'io.modelcontextprotocol/clientInfo': info });
    const list = await modern.request('tools/list', { _meta });
    const called = await modern.request('tools/call', { name: 'count', arguments: {}, _meta });
    modernAnswers.add(JSON.stringify([list.result, called.result]));
  }
  expect(modernAnswers.size).toBe(1);
});

test('P34: no tool says execution.taskSupport, since 2025-11-25’s tasks are not served', async () => {
  const lists = [await modern.request('tools/list', { _meta: modernMeta(TASKS) })];
  for (const version of HANDSHAKES) {
    const server = startServer(ENTRY);
    const { result } = await server.initialize(version);
    expect(result?.['capabilities']).not.toHaveProperty('tasks');
    lists.push(await server.request('tools/list'));
    const task = await server.request('tools/call', { name: 'count', arguments: {}, task: { ttl: 60_000 } });
    // The hint of a client is passed over: it gets its result.
    expect(task.result).toMatchObject({ structuredContent: { count: 3 } });
  }
  for (const { result } of lists) {
    expect(result?.['tools'].length).toBeGreaterThan(3);
    for (const tool of result?.['tools'] ?? []) expect(tool).not.toHaveProperty('execution');
  }
});

describe('a client that leaves', () => {
  /** @returns resolves when the command has begun; `leave` closes the stream of its answer */
  async function begin(name: string, message: object, headers: Record<string, string>) {
    const gone = new AbortController();
    const response = fetch(http.url, {
      method: 'POST',
      signal: gone.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(message),
    });
    response.catch(() => {});
    await http.message(({ started }) => started === name);
    return { response, leave: () => gone.abort() };
  }

  test('P39: since 2026-07-28 that cancels its call', async () => {
    const message = asModern('tools/call', { name: 'linger', arguments: { name: 'new' } });
    const headers = { ...HEADERS, 'mcp-method': 'tools/call', 'mcp-name': 'linger' };
    const { leave } = await begin('new', message, headers);
    leave();
    await http.message(({ ended }) => ended === 'new');
  });

  test('P39: before, it does not: only the notification does', async () => {
    const opened = await post(http.url, initialize());
    const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    let hasEnded = false;
    void http.message(({ ended }) => ended === 'old').then(() => (hasEnded = true));
    const { response, leave } = await begin('old', call('linger', { name: 'old' }, 7), headers);
    // The head of the answer is there before anything of its stream.
    await response;
    leave();
    // What is asked behind it is answered: the server has seen that the client left.
    for (let id = 10; id < 30; id += 1) {
      const { result } = await answerOf(await post(http.url, call('echo', { text: 'a' }, id), headers));
      expect(result).toMatchObject({ content: [{ text: 'a\n' }] });
    }
    expect(hasEnded).toBe(false);
    const params = { requestId: 7 };
    await post(http.url, { jsonrpc: '2.0', method: 'notifications/cancelled', params }, headers);
    await http.message(({ ended }) => ended === 'old');
  });
});

describe('subscriptions/listen', () => {
  const ALL = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['mcpify://tasks/t/log'],
  };

  test('P40: is acknowledged first, under its id, with what there is: nothing; and answered at the end', async () => {
    const server = startServer(ENTRY);
    const listen = asModern('subscriptions/listen', { notifications: ALL });
    server.send({ ...listen, id: 'listening' });
    await server.request('tools/list', { _meta: modernMeta() });
    const { exitCode } = await server.endInput();
    expect(exitCode).toBe(0);
    const tagged = server.messages.filter(({ id }) => id === 'listening' || id === undefined);
    expect(tagged).toMatchObject([
      {
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: {}, _meta: { 'io.modelcontextprotocol/subscriptionId': 'listening' } },
      },
      {
        id: 'listening',
        result: {
          resultType: 'complete',
          _meta: { 'io.modelcontextprotocol/subscriptionId': 'listening' },
        },
      },
    ]);
    expect(tagged[0]?.params?.['notifications']).toEqual({});
  });

  test('P40: over HTTP on its own stream, which ends since nothing will come', async () => {
    const listen = asModern('subscriptions/listen', { notifications: ALL });
    const response = await post(http.url, listen, { ...HEADERS, 'mcp-method': 'subscriptions/listen' });
    const events = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
    const messages = events.map((line) => JSON.parse(line.slice('data: '.length)) as Message);
    expect(messages.map(({ method, id }) => method ?? id)).toEqual([
      'notifications/subscriptions/acknowledged',
      1,
    ]);
    expect(messages[0]?.params?.['notifications']).toEqual({});
  });
});
