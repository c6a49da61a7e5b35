import { readdirSync } from 'node:fs';

import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { newFolder } from '../background/background.js';
import { answerOf, post, startHttp, startOwn, type HttpServer } from '../http/http-server.js';
import { modernMeta, startServer, textOf, type CallResult, type RawServer } from '../wire/connect.js';
import { serverCommand } from '../wire/server-command.js';

/* callContext().ask(): what a command asks, its client is asked. */

const ENTRY = 'test/questions/fixtures/mcp.mjs';
const INFO = { name: 'asked', version: '1.0.0' };
const ELICITATION = { capabilities: { elicitation: {} } };

interface Asked {
  readonly message: string;
  readonly requestedSchema: { readonly properties: Readonly<Record<string, unknown>> };
}

type Reply = (question: Asked) => { action: string; content?: Record<string, unknown> };

/** Answers whatever is asked; each test says how. */
interface Person {
  reply: Reply;
  readonly asked: Asked[];
}

const accept: Reply = ({ requestedSchema: { properties } }) => ({
  action: 'accept',
  content: Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      name,
      (field as { type: string }).type === 'boolean' ? true : `the ${name}`,
    ]),
  ),
});

const CLIENTS = ['v1', 'v2 legacy', 'v2 2026-07-28', 'v1 over HTTP', 'v2 2026-07-28 over HTTP'] as const;

let http: HttpServer;

beforeAll(async () => {
  http = await startHttp(ENTRY);
});

describe.each(CLIENTS)('%s client', (kind) => {
  const person: Person = { reply: accept, asked: [] };
  let call: (name: string, toolArguments?: Record<string, unknown>) => Promise<CallResult>;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const start = { ...serverCommand(ENTRY, {}), stderr: 'pipe' as const };
    const isHttp = kind.endsWith('HTTP');
    const answer = ({ params }: { params: unknown }) => {
      person.asked.push(params as Asked);
      return person.reply(params as Asked) as never;
    };
    if (kind.startsWith('v1')) {
      const client = new ClientV1(INFO, ELICITATION);
      client.setRequestHandler(ElicitRequestSchema, answer);
      await client.connect(isHttp ? (new HttpV1(new URL(http.url)) as never) : new StdioV1(start));
      call = (name, toolArguments) => client.callTool({ name, arguments: toolArguments ?? {} }) as never;
      close = () => client.close();
    } else {
      const mode = kind === 'v2 legacy' ? 'legacy' : { pin: '2026-07-28' };
      const client = new ClientV2(INFO, { ...ELICITATION, versionNegotiation: { mode } as never });
      client.setRequestHandler('elicitation/create', answer);
      await client.connect(isHttp ? new HttpV2(new URL(http.url)) : new StdioV2(start));
      call = (name, toolArguments) => client.callTool({ name, arguments: toolArguments ?? {} }) as never;
      close = () => client.close();
    }
  });

  afterAll(() => close());

  const TOOLS = ['erase', 'erase_alone', 'erase_isolated'];

  test.each(TOOLS)('%s: the answer reaches the command', async (tool) => {
    person.reply = accept;
    person.asked.length = 0;
    expect(textOf(await call(tool, { name: 'a' }))).toBe('begins with a\naccept: {"confirm":true}\n');
    expect(person.asked).toMatchObject([
      {
        message: 'Erase a?',
        requestedSchema: {
          type: 'object',
          properties: { confirm: { type: 'boolean', description: 'really?' } },
          required: ['confirm'],
        },
      },
    ]);
  });

  test.each(TOOLS)('%s: so does a refusal', async (tool) => {
    for (const action of ['decline', 'cancel']) {
      person.reply = () => ({ action });
      expect(textOf(await call(tool, { name: 'a' }))).toBe(`begins with a\n${action}\n`);
    }
  });

  test('questions at the same time, and one behind the other', async () => {
    person.reply = accept;
    for (const tool of ['two', 'two_isolated'])
      expect(textOf(await call(tool))).toBe('{"first":"the first"} {"second":"the second"}\n');
    let count = 0;
    person.reply = () => ({ action: 'accept', content: { name: String((count += 1)) } });
    expect((await call('rounds')).structuredContent).toEqual({ names: ['1', '2', '3'] });
  });

  test('an answer of another form is no answer', async () => {
    person.reply = () => ({ action: 'accept', content: { confirm: 'perhaps' } });
    const later = ['erase_later', { name: 'a', background: false }] as const;
    for (const [tool, given] of [...TOOLS.map((name) => [name, { name: 'a' }] as const), later]) {
      const result = await call(tool, given);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(/The answer to "Erase a\?" is not what was asked for: confirm/u);
      expect(textOf(result)).not.toMatch(/^\s+at |file:/mu);
    }
  });

  test('a question that no form shows is the author’s mistake', async () => {
    const result = await call('wrong_form');
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('the schema must be an object of plain values');
  });
});

describe('a client that cannot be asked', () => {
  const REFUSED = {
    isError: true,
    content: [
      { text: expect.stringMatching(/cannot be asked during a call: "Erase a\?"\. Pass "confirm"/u) },
    ],
  };

  test.each([
    ['declares nothing', {}],
    ['shows web pages only', { elicitation: { url: {} } }],
  ])('%s', async (_, capabilities) => {
    const params = { name: 'erase', arguments: { name: 'a' } };
    const old = startServer(ENTRY);
    await old.request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo: INFO });
    expect((await old.request('tools/call', params)).result).toMatchObject(REFUSED);
    const modern = startServer(ENTRY);
    const _meta = modernMeta({ 'io.modelcontextprotocol/clientCapabilities': capabilities });
    expect((await modern.request('tools/call', { ...params, _meta })).result).toMatchObject(REFUSED);
    expect([...old.messages, ...modern.messages].filter(({ method }) => method)).toEqual([]);
  });

  test.each([
    ['with_note', 'Pass "confirm" with the call, as an option.'],
    ['two', 'No parameter of this tool answers it in advance.'],
    ['two_isolated', 'No parameter of this tool answers it in advance.'],
  ])('%s: only what is a parameter of the tool is to be passed', async (name, wayOut) => {
    const server = startServer(ENTRY);
    await server.initialize();
    const { result } = await server.request('tools/call', { name, arguments: {} });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(wayOut) }] });
  });

  test('a command in a process of its own says the same, without a stack', async () => {
    const server = startServer(ENTRY);
    await server.initialize();
    for (const params of [
      { name: 'erase_isolated', arguments: { name: 'a' } },
      { name: 'erase_later', arguments: { name: 'a', background: false } },
    ]) {
      expect((await server.request('tools/call', params)).result).toMatchObject({
        isError: true,
        content: [
          {
            text:
              'begins with a\n[stderr]\n' +
              'Error: This client cannot be asked during a call: "Erase a?". Pass "confirm" with the call, as an option.\n' +
              '[exit code 1] The command failed.',
          },
        ],
      });
    }
  });
});

describe('2026-07-28, in raw requests', () => {
  let server: RawServer;
  const DECLARED = modernMeta({
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  });

  beforeAll(() => {
    server = startServer(ENTRY);
  });

  const request = (name: string, more: object = {}) =>
    server.request('tools/call', { name, arguments: { name: 'a' }, _meta: DECLARED, ...more });

  test('a question is an answer, and its answer a further request', async () => {
    const { result } = await request('erase');
    expect(result).toMatchObject({
      resultType: 'input_required',
      requestState: expect.stringMatching(/^[\w-]{32}$/u),
      inputRequests: { question1: { method: 'elicitation/create', params: { message: 'Erase a?' } } },
    });
    expect(result).not.toHaveProperty('content');
    const inputResponses = { question1: { action: 'accept', content: { confirm: true } }, more: {} };
    const again = { requestState: result?.['requestState'], inputResponses };
    expect((await request('erase', again)).result).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'begins with a\naccept: {"confirm":true}\n' }],
    });
    // Each state is good for one request.
    expect((await request('erase', again)).error).toMatchObject({ code: -32_602 });
  });

  test('what is not answered is asked again', async () => {
    const first = (await request('two')).result;
    expect(Object.keys(first?.['inputRequests'])).toEqual(['question1', 'question2']);
    const inputResponses = {
      question2: { action: 'accept', content: { second: '2' } },
      question1: { no: 1 },
    };
    const second = (await request('two', { requestState: first?.['requestState'], inputResponses })).result;
    expect(Object.keys(second?.['inputRequests'])).toEqual(['question1']);
    const rest = { question1: { action: 'accept', content: { first: '1' } } };
    const third = await request('two', { requestState: second?.['requestState'], inputResponses: rest });
    expect(third.result).toMatchObject({ content: [{ text: '{"first":"1"} {"second":"2"}\n' }] });
  });

  test('a state of another tool, or of nobody, is refused', async () => {
    const { result } = await request('erase');
    const state = { requestState: result?.['requestState'], inputResponses: {} };
    expect((await request('two', state)).error).toMatchObject({ code: -32_602 });
    expect((await request('erase', { requestState: 'x' })).error).toMatchObject({ code: -32_602 });
    expect((await request('erase', state)).result).toMatchObject({ resultType: 'input_required' });
  });

  test('progress carries the token of the request that is open', async () => {
    const rounds = ['one', 'two', 'three', 'four'];
    let more: object = {};
    for (const [index, progressToken] of rounds.entries()) {
      const { result } = await request('rounds', { _meta: { ...DECLARED, progressToken }, ...more });
      const inputResponses = { [`question${index + 1}`]: { action: 'accept', content: { name: 'n' } } };
      more = { requestState: result?.['requestState'], inputResponses };
    }
    const progress = server.messages.flatMap(({ method, params }) =>
      method === 'notifications/progress' ? [params ?? {}] : [],
    );
    expect(progress[0]).toMatchObject({ progressToken: 'one', progress: 1 });
    expect(progress.at(-1)).toMatchObject({ progress: 3 });
    for (const each of progress) {
      expect(rounds.indexOf(each['progressToken'])).toBeGreaterThanOrEqual(each['progress'] - 1);
    }
  });

  test('the server sends no request of its own (P20)', () => {
    expect(server.messages.filter(({ method, id }) => method !== undefined && id !== undefined)).toEqual([]);
  });
});

describe('2026-07-28, over HTTP with authorization', () => {
  const DECLARED = modernMeta({ 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } });
  let team: HttpServer;

  beforeAll(async () => {
    team = await startOwn('test/questions/fixtures/oauth.mjs');
  });

  const ask = async (caller: string, more: object = {}) => {
    const params = { name: 'erase', arguments: { name: 'a' }, ...more, _meta: DECLARED };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'erase' };
    return answerOf(await post(team.url, body, { ...headers, authorization: `Bearer ${caller}` }));
  };
  const inputResponses = { question1: { action: 'accept', content: { confirm: true } } };

  test('a state is for the caller that got it: nobody else answers, and it is good all the same', async () => {
    const { requestState } = (await ask('alice')).result;
    const stolen = await ask('bob', { requestState, inputResponses });
    expect(stolen.error).toMatchObject({ code: -32_602, data: { reason: 'invalid_request_state' } });
    expect((await ask('alice', { requestState, inputResponses })).result).toMatchObject({
      content: [{ text: 'begins with a\naccept: {"confirm":true}\n' }],
    });
  });

  test('more calls than may wait end those of the one that makes them', async () => {
    const { requestState } = (await ask('alice')).result;
    const first = (await ask('bob')).result.requestState;
    for (let count = 0; count < 10; count += 1) {
      await Promise.all(Array.from({ length: 11 }, () => ask('bob')));
    }
    expect((await ask('bob', { requestState: first, inputResponses })).error).toMatchObject({
      code: -32_602,
    });
    expect((await ask('alice', { requestState, inputResponses })).result).toHaveProperty('content');
  });

  test.each([
    ['no text', 5],
    ['empty', ''],
    ['long', 'x'.repeat(100_000)],
    ['of Object', '__proto__'],
  ])('a state that is %s is refused', async (_, requestState) => {
    expect((await ask('alice', { requestState, inputResponses })).error).toMatchObject({ code: -32_602 });
  });
});

test('a cancelled call withdraws its question', async () => {
  const server = startServer(ENTRY);
  await server.request('initialize', {
    protocolVersion: '2025-11-25',
    ...ELICITATION,
    clientInfo: INFO,
  });
  server.send({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'give_up', arguments: {} } });
  const question = await server.message(({ method }) => method === 'elicitation/create');
  server.notify('notifications/cancelled', { requestId: 'c' });
  const withdrawn = await server.message(({ method }) => method === 'notifications/cancelled');
  expect(withdrawn.params).toMatchObject({ requestId: question.id });
  // An answer that comes too late is passed over.
  server.send({ jsonrpc: '2.0', id: question.id, result: { action: 'decline' } });
  expect((await server.request('ping')).result).toEqual({});
});

test.each([{ result: null }, { result: 'x' }, { error: 'no' }, {}])(
  'a malformed answer ends the question: %j',
  async (answer) => {
    const server = startServer(ENTRY);
    await server.request('initialize', {
      protocolVersion: '2025-11-25',
      ...ELICITATION,
      clientInfo: INFO,
    });
    const called = server.request('tools/call', { name: 'erase', arguments: { name: 'a' } });
    const question = await server.message(({ method }) => method === 'elicitation/create');
    server.send({ jsonrpc: '2.0', id: question.id, ...answer });
    expect((await called).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('did not answer') }],
    });
  },
);

describe('a task', () => {
  const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const declared = (capabilities: object) =>
    modernMeta({ 'io.modelcontextprotocol/clientCapabilities': capabilities });
  const BOTH = declared({ elicitation: {}, ...TASKS });
  const stateDir = newFolder();
  let server: RawServer;

  beforeAll(() => {
    server = startServer(ENTRY, { env: { TEST_OPTIONS: JSON.stringify({ stateDir }) } });
  });

  const start = async (name: string, _meta: object = BOTH) => {
    const { result } = await server.request('tools/call', { name, arguments: { name: 'a' }, _meta });
    return (result?.['taskId'] ?? result?.['structuredContent'].taskId) as string;
  };
  const request = async (method: string, taskId: string, more: object = {}) =>
    server.request(method, { taskId, ...more, _meta: BOTH });
  const wait = (taskId: string) =>
    server.request('tools/call', { name: 'task_status', arguments: { taskId, waitMs: 45_000 }, _meta: BOTH });
  const get = async (taskId: string) => (await request('tasks/get', taskId)).result;
  const untilAsked = (taskId: string, count = 1) =>
    vi.waitFor(
      async () => {
        const task = await get(taskId);
        expect(Object.keys(task?.['inputRequests'] ?? {})).toHaveLength(count);
        return task;
      },
      { timeout: 20_000, interval: 100 },
    );

  test('asks by input_required, and goes on with the answer', async () => {
    const taskId = await start('erase_later');
    expect(await untilAsked(taskId)).toMatchObject({
      resultType: 'complete',
      status: 'input_required',
      inputRequests: {
        question1: {
          method: 'elicitation/create',
          params: { message: 'Erase a?', requestedSchema: { properties: { confirm: { type: 'boolean' } } } },
        },
      },
    });
    const wrong = { inputResponses: { question1: { action: 'accept', content: { confirm: 'yes' } } } };
    expect((await request('tasks/update', taskId, wrong)).error).toMatchObject({
      code: -32_602,
      message: expect.stringContaining('question1'),
    });
    const inputResponses = { question1: { action: 'accept', content: { confirm: true } } };
    expect((await request('tasks/update', taskId, { inputResponses })).result).toEqual({
      resultType: 'complete',
      _meta: expect.anything(),
    });
    await wait(taskId);
    expect(await get(taskId)).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'begins with a\naccept: {"confirm":true}\n' }] },
    });
    expect(await get(taskId)).not.toHaveProperty('inputRequests');
  });

  test('what is no answer is refused, where the task waits for one, and nothing of its request counts', async () => {
    const taskId = await start('two_later');
    await untilAsked(taskId, 2);
    const good = { action: 'accept', content: { first: 'a' } };
    const malformed = [null, 5, 'accept', [], {}, { action: 'perhaps' }, { method: 'x', result: good }];
    for (const question2 of malformed) {
      const inputResponses = { question1: good, question2 };
      expect((await request('tasks/update', taskId, { inputResponses })).error).toMatchObject({
        code: -32_602,
        message: expect.stringContaining('question2: '),
      });
    }
    expect(Object.keys((await get(taskId))?.['inputRequests'])).toEqual(['question1', 'question2']);
    for (const answer of malformed) {
      const inputResponses = { question9: answer, __proto__: answer, constructor: answer };
      expect((await request('tasks/update', taskId, { inputResponses })).error).toBeUndefined();
    }
    for (const inputResponses of [null, [], 'all', 5]) {
      const { error } = await request('tasks/update', taskId, { inputResponses });
      expect(error).toMatchObject({ code: -32_602, message: expect.stringContaining('inputResponses') });
    }
    await request('tasks/cancel', taskId);
  });

  test('answers may come one by one; the first counts', async () => {
    const taskId = await start('two_later');
    await untilAsked(taskId, 2);
    const answer = (key: string, content: object) =>
      request('tasks/update', taskId, { inputResponses: { [key]: { action: 'accept', content } } });
    await answer('question2', { second: 'b' });
    expect(Object.keys((await get(taskId))?.['inputRequests'])).toEqual(['question1']);
    await answer('question2', { second: 'c' });
    await answer('question9', { ninth: 'd' });
    await answer('question1', { first: 'a' });
    await wait(taskId);
    expect((await get(taskId))?.['result'].content[0].text).toBe('{"first":"a"} {"second":"b"}\n');
  });

  test('that asks can be cancelled; nothing of its questions stays on the disk', async () => {
    const taskId = await start('erase_later');
    await untilAsked(taskId);
    const files = () =>
      readdirSync(stateDir, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes(taskId));
    expect(files()).toContainEqual(expect.stringContaining('question-1.json'));
    await request('tasks/cancel', taskId);
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
    expect(await get(taskId)).not.toHaveProperty('inputRequests');
    await vi.waitFor(() => expect(files()).not.toContainEqual(expect.stringContaining('question-1.json')));
  });

  test.each([
    ['follows no task', { elicitation: {} }],
    ['cannot be asked', TASKS],
    ['neither', {}],
  ])('of a client that %s: its question is refused', async (_, capabilities) => {
    const taskId = await start('erase_later', declared(capabilities));
    await wait(taskId);
    const task = await get(taskId);
    expect(task?.['result'].isError).toBe(true);
    expect(task?.['result'].content[0].text).toMatch(
      /cannot be asked during a call: "Erase a\?"\. Pass "confirm"/u,
    );
    expect(task?.['result'].content[0].text).not.toMatch(/^\s+at /mu);
  });

  test('that the client waits for asks as any other call', async () => {
    const params = { name: 'erase_later', arguments: { name: 'a', background: false }, _meta: BOTH };
    const { result } = await server.request('tools/call', params);
    expect(result).toMatchObject({ resultType: 'input_required' });
    const inputResponses = { question1: { action: 'decline' } };
    const again = { ...params, requestState: result?.['requestState'], inputResponses };
    expect((await server.request('tools/call', again)).result).toMatchObject({
      content: [{ text: 'begins with a\ndecline\n' }],
    });
  });
});
