import { writeFileSync } from 'node:fs';

import { beforeAll, describe, expect, test } from 'vitest';

import { modernMeta, startServer, type Message, type RawServer } from '../wire/connect.js';
import { ENTRY, embedded, newFolder } from './background.js';

/* Tasks of the protocol's extension (protocol.md, section 7), on stdio. */

const EXTENSION = 'io.modelcontextprotocol/tasks';
const DECLARED = modernMeta({
  'io.modelcontextprotocol/clientCapabilities': { extensions: { [EXTENSION]: {} } },
});
const MISSING = {
  code: -32_021,
  data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
};

let server: RawServer;

beforeAll(() => {
  server = startServer(ENTRY, { env: embedded() });
});

const call = (name: string, toolArguments: object = {}, meta: object = DECLARED) =>
  server.request('tools/call', { name, arguments: toolArguments, _meta: meta });

const ask = (method: string, taskId: string, more: object = {}) =>
  server.request(method, { taskId, ...more, _meta: DECLARED });

async function start(name: string, toolArguments: object = {}): Promise<string> {
  const { result } = await call(name, toolArguments);
  expect(result).toMatchObject({ resultType: 'task' });
  return result?.['taskId'];
}

/** Waits by the tool: both look at the same task. */
async function ended(taskId: string): Promise<Message['result']> {
  await call('task_status', { taskId, waitMs: 45_000 });
  return (await ask('tasks/get', taskId)).result;
}

test('the extension is named by discover, and by no handshake', async () => {
  const { result } = await server.request('server/discover', { _meta: modernMeta() });
  expect(result?.['capabilities'].extensions).toEqual({ [EXTENSION]: {} });
  expect(result?.['capabilities']).not.toHaveProperty('tasks');
  const other = startServer(ENTRY, { env: embedded() });
  expect((await other.initialize()).result?.['capabilities']).not.toHaveProperty('extensions');
  const refused = await other.request('tasks/get', { taskId: 't' });
  expect(refused.error).toMatchObject({ code: -32_601 });
  expect((await other.request('tasks/update', { taskId: 't' })).error).toMatchObject({ code: -32_601 });
});

test('a handle is flat, and its task can be asked for at once, by the tools too', async () => {
  const folder = newFolder();
  const { result } = await call('work_steps', { folder });
  expect(result).toEqual({
    resultType: 'task',
    taskId: expect.any(String),
    status: 'working',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    lastUpdatedAt: expect.any(String),
    ttlMs: expect.any(Number),
    pollIntervalMs: 500,
    // The SDK's.
    content: [],
    _meta: expect.anything(),
  });
  expect(result?.['ttlMs']).toBeGreaterThanOrEqual(7 * 86_400_000);
  const taskId: string = result?.['taskId'];
  const { result: first } = await ask('tasks/get', taskId);
  expect(first).toMatchObject({ resultType: 'complete', taskId, status: 'working' });
  expect(first).not.toHaveProperty('result');
  await call('task_result', { taskId, offsetBytes: 0, waitMs: 45_000 });
  expect((await ask('tasks/get', taskId)).result).toMatchObject({ statusMessage: 'step 1 of 3' });
  for (const step of [1, 2, 3]) writeFileSync(`${folder}/${step}`, '');
  const end = await ended(taskId);
  expect(end).toMatchObject({
    resultType: 'complete',
    status: 'completed',
    result: { content: [{ type: 'text', text: expect.stringMatching(/^step 1 of 3\n[^]*step 3 of 3\n$/) }] },
  });
  expect(end?.['result']).not.toHaveProperty('isError');
  expect(end).not.toHaveProperty('pollIntervalMs');
  expect((await ask('tasks/get', taskId)).result).toEqual(end);
});

describe('how a task ends', () => {
  test.each<[string, string, object, string, boolean]>([
    [
      'with an exit code',
      'print',
      { text: 'no', code: 3 },
      '^no\n\\[failed with exit code 3 after .+\\]$',
      true,
    ],
    ['with one that is normal', 'codes', {}, '^\\[exit code 3\\]$', false],
    ['at its time limit', 'limited', {}, '^started\n\\[timed out after 1 s\\]$', true],
    ['without output', 'print', { text: '' }, '^Done\\. The command printed nothing\\.$', false],
  ])('%s: completed', async (_, name, toolArguments, text, isError) => {
    const end = await ended(await start(name, toolArguments));
    expect(end).toMatchObject({ status: 'completed' });
    expect(end?.['result'].content).toEqual([
      { type: 'text', text: expect.stringMatching(new RegExp(text, 'u')) },
    ]);
    expect(end?.['result'].isError ?? false).toBe(isError);
  });

  test('cancelled: acknowledged without the task, also when it has ended', async () => {
    const taskId = await start('work_steps', { folder: newFolder() });
    const { result: acknowledged } = await ask('tasks/cancel', taskId);
    expect(acknowledged).toEqual({ resultType: 'complete', _meta: expect.anything() });
    const end = await ended(taskId);
    expect(end).toMatchObject({ status: 'cancelled' });
    expect(end).not.toHaveProperty('result');
    expect((await ask('tasks/cancel', taskId)).result).toEqual(acknowledged);
    expect(await ended(taskId)).toEqual(end);
  });

  test('more output than a result carries: head, way to the rest, tail', async () => {
    const taskId = await start('print', { text: 'line {n} of many\n', times: 20_000 });
    const end = await ended(taskId);
    const text: string = end?.['result'].content[0].text;
    expect(text.length).toBeLessThan(110_000);
    expect(text).toMatch(/^line 0 of many\n/u);
    expect(text).toMatch(/line 19999 of many\n$/u);
    const [, offsetBytes] = /\[… cut here: .* task_result \{"taskId":"\w+","offsetBytes":(\d+)\}/u.exec(text) as never as string[]; // prettier-ignore
    const line = /line (\d+) of many\n\[… cut here/u.exec(text)?.[1];
    const { result } = await call('task_result', {
      taskId,
      offsetBytes: Number(offsetBytes),
      maxBytes: 1_000,
    });
    expect(result?.['content'][0].text).toContain(`line ${Number(line) + 1} of many\n`);
  });

  test('secrets are not repeated', async () => {
    const end = await ended(await start('sign_in', { apiToken: 's3cret-value' }));
    expect(end?.['result'].content[0].text).toMatch(/^signed in with /u);
    expect(JSON.stringify(end)).not.toContain('s3cret-value');
  });
});

describe('a request that declares nothing', () => {
  test('gets no handle, whatever earlier ones declared', async () => {
    await start('echo');
    const { result } = await call('echo', {}, modernMeta());
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'running' } });
    expect(result).not.toHaveProperty('taskId');
    expect(result).not.toHaveProperty('startedTask');
    // The same task for a request that does.
    const taskId: string = result?.['structuredContent'].taskId;
    expect(await ended(taskId)).toMatchObject({ status: 'completed' });
  });

  test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('%s: -32021', async (method) => {
    const taskId = await start('echo');
    const { error } = await server.request(method, { taskId, inputResponses: {}, _meta: modernMeta() });
    expect(error).toMatchObject(MISSING);
  });

  test('a tool that runs as a task only: -32021', async () => {
    expect((await call('only_as_task', {}, modernMeta())).error).toMatchObject(MISSING);
    expect(await ended(await start('only_as_task'))).toMatchObject({ status: 'completed' });
    // Older revisions have the three tools.
    const old = startServer(ENTRY, { env: embedded() });
    await old.initialize();
    const { result } = await old.request('tools/call', { name: 'only_as_task', arguments: {} });
    expect(result).toMatchObject({ structuredContent: { status: 'running' } });
  });
});

test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('%s: an unknown id is -32602', async (method) => {
  const { error } = await ask(method, 't0000000aaaaaaaaaaaaaaaaaaaaaaaaa', { inputResponses: {} });
  expect(error).toMatchObject({ code: -32_602, message: expect.stringContaining('No such task') });
  const wrong = await server.request(method, { taskId: 7, inputResponses: {}, _meta: DECLARED });
  expect(wrong.error).toMatchObject({ code: -32_602, message: expect.stringContaining('taskId') });
});

test('an update of a task that asks nothing is acknowledged', async () => {
  const taskId = await start('echo');
  const inputResponses = { nothing: { action: 'accept', content: {} } };
  const { result } = await ask('tasks/update', taskId, { inputResponses });
  expect(result).toEqual({ resultType: 'complete', _meta: expect.anything() });
  expect((await ask('tasks/update', taskId)).error).toMatchObject({ code: -32_602 });
});

test('a client that waits gets the result, and short commands are no tasks', async () => {
  const waited = await call('print', { text: 'a', background: false });
  expect(waited.result).toMatchObject({ resultType: 'complete', content: [{ text: 'a' }] });
  expect((await call('quick')).result).toMatchObject({
    resultType: 'complete',
    content: [{ text: 'quick\n' }],
  });
});

describe('news of tasks on subscriptions/listen', () => {
  const listen = (taskIds: unknown, meta: object) =>
    server.request('subscriptions/listen', { notifications: { taskIds }, _meta: meta });

  test('undeclared: -32021', async () => {
    for (const taskIds of [['t1'], [], 't1']) {
      expect((await listen(taskIds, modernMeta())).error).toMatchObject(MISSING);
    }
    // As the first request of a connection, too; and it is one of the new era.
    const other = startServer(ENTRY, { env: embedded() });
    const params = { notifications: { taskIds: ['t1'] }, _meta: modernMeta() };
    expect((await other.request('subscriptions/listen', params)).error).toMatchObject(MISSING);
    expect((await other.request('tools/list')).error).toMatchObject({ code: -32_602 });
  });

  test('declared: acknowledged without them, since none are sent', async () => {
    server.send({
      jsonrpc: '2.0',
      id: 'listening',
      method: 'subscriptions/listen',
      params: { notifications: { taskIds: ['t1'] }, _meta: DECLARED },
    });
    const { params } = await server.message(
      ({ method }) => method === 'notifications/subscriptions/acknowledged',
    );
    expect(params).toMatchObject({
      notifications: {},
      _meta: { 'io.modelcontextprotocol/subscriptionId': 'listening' },
    });
    expect(params?.['notifications']).not.toHaveProperty('taskIds');
  });
});

test.each(['tasks/list', 'tasks/result'])('%s is no method', async (method) => {
  expect((await ask(method, 't')).error).toMatchObject({ code: -32_601 });
});
