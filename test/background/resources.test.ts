import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, describe, expect, test } from 'vitest';

import { modernMeta, startServer, type RawServer } from '../wire/connect.js';
import { serverCommand } from '../wire/server-command.js';
import { ENTRY, embedded } from './background.js';

/* Logs of tasks, and what results were too short for, as resources. */

const env = embedded({ outputBudgetBytes: 2_000 });
const CUT = 2_000;

describe.each([
  ['with a handshake', undefined],
  ['2026-07-28', modernMeta()],
])('%s', (_, meta) => {
  let server: RawServer;

  beforeAll(async () => {
    server = startServer(ENTRY, { env });
    if (!meta) await server.initialize();
  });

  const ask = (method: string, params: object = {}) =>
    server.request(method, { ...params, ...(meta && { _meta: meta }) });
  const call = async (name: string, toolArguments: object = {}) =>
    (await ask('tools/call', { name, arguments: toolArguments })).result;
  const read = (taskId: string) => ask('resources/read', { uri: `mcpify://tasks/${taskId}/log` });

  async function run(name: string, toolArguments: object): Promise<string> {
    const { taskId } = (await call(name, toolArguments))!['structuredContent'];
    await call('task_status', { taskId, waitMs: 45_000 });
    return taskId;
  }

  test('a log is listed, and read as task_result shows it', async () => {
    const taskId = await run('print', { text: '\u001b[31mred\u001b[0m', code: 3 });
    const listed = (await ask('resources/list')).result?.['resources'];
    expect(listed[0]).toMatchObject({
      uri: `mcpify://tasks/${taskId}/log`,
      name: taskId,
      description: expect.stringContaining('print failed with exit code 3'),
      mimeType: 'text/plain',
    });
    const { contents } = (await read(taskId)).result!;
    const shown = (await call('task_result', { taskId, offsetBytes: 0 }))?.['content'];
    expect(contents).toEqual([{ uri: listed[0].uri, mimeType: 'text/plain', text: shown[0].text }]);
    expect(contents[0].text).toMatch(/^red$/m);
    const shouted = await ask('resources/read', { uri: `MCPIFY://tasks/${taskId}/log` });
    expect(shouted.result!['contents'][0].text).toMatch(/^red$/m);
  });

  test('a long log is cut, and says how to read on', async () => {
    const taskId = await run('print', { text: 'line {n}\n', times: 50_000 });
    const { text } = (await read(taskId)).result!['contents'][0];
    expect(text.length).toBeLessThan(CUT + 500);
    const next = JSON.parse(/^More: task_result (\{.*\})$/m.exec(text)![1]!);
    expect(next.taskId).toBe(taskId);
    expect(next.offsetBytes).toBeGreaterThan(CUT / 2);
    expect(next.offsetBytes).toBeLessThanOrEqual(CUT);
  });

  test('what a result was too short for is a resource as well', async () => {
    const text = (await call('much', { bytes: 9_000 }))?.['content'][0].text;
    const { taskId } = JSON.parse(/task_result (\{.*\}) …\]/.exec(text)![1]!);
    expect((await read(taskId)).result!['contents'][0].text).toContain('line 0 x');
  });

  test('a secret that a task was started with is not in its resource', async () => {
    const secret = 'hunter2-and-more';
    const taskId = await run('sign_in', { apiToken: secret });
    const { text } = (await read(taskId)).result!['contents'][0];
    expect(text).toContain('signed in with');
    expect(text).not.toContain(secret);
  });

  test('any log can be read by its id', async () => {
    expect((await ask('resources/templates/list')).result?.['resourceTemplates']).toMatchObject([
      { uriTemplate: 'mcpify://tasks/{taskId}/log', name: 'task_log', mimeType: 'text/plain' },
    ]);
  });

  test.each(['mcpify://tasks/tnosuchtask/log', 'mcpify://tasks/..%2f..%2fetc/log', 'file:///etc/passwd', ''])(
    'no such resource: %j',
    async (uri) => {
      const { error } = await ask('resources/read', { uri });
      expect(error).toMatchObject({ code: -32_602, data: { uri } });
      expect(error?.message).toContain('resources/list');
    },
  );

  test.each([
    ['resources/list', { cursor: 'x' }, 'Unknown cursor'],
    ['resources/templates/list', { cursor: 'x' }, 'Unknown cursor'],
    ['resources/list', { cursor: 5 }, 'params.cursor must be a string'],
    ['resources/read', {}, 'params.uri must be a string'],
  ])('%s with %j is malformed', async (method, params, message) => {
    const { error } = await ask(method, params);
    expect(error).toMatchObject({ code: -32_602, message: expect.stringContaining(message) });
  });

  test('there are no subscriptions', async () => {
    const { error } = await ask('resources/subscribe', { uri: 'mcpify://tasks/t/log' });
    expect(error?.code).toBe(-32_601);
  });
});

test('the capability is there for whom tasks are, in each way to ask', async () => {
  const [tasks, none] = [startServer(ENTRY, { env }), startServer('examples/publish-gate/dist/mcp.js')];
  const of = async (server: RawServer) => [
    (await server.request('server/discover', { _meta: modernMeta() })).result?.['capabilities'],
    (await server.initialize()).result?.['capabilities'],
  ];
  for (const capabilities of await of(tasks)) expect(capabilities.resources).toEqual({});
  for (const capabilities of await of(none)) expect(capabilities).not.toHaveProperty('resources');
  expect((await none.request('resources/list')).error?.code).toBe(-32_601);
});

const START = { env };
const CLIENTS = {
  async v1() {
    const client = new ClientV1({ name: 'tests', version: '1.0.0' });
    await client.connect(new StdioV1(serverCommand(ENTRY, START)));
    return client;
  },
  'v2 legacy': () => connectV2('legacy'),
  'v2 2026-07-28': () => connectV2({ pin: '2026-07-28' }),
};

async function connectV2(mode: 'legacy' | { pin: string }) {
  const client = new ClientV2({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StdioV2(serverCommand(ENTRY, START)));
  return client;
}

test.each(Object.entries(CLIENTS))('a client lists and reads: %s', async (_, connect) => {
  const client = await connect();
  try {
    const started = await client.callTool({ name: 'print', arguments: { text: 'done' } });
    const { taskId } = started.structuredContent as { taskId: string };
    await client.callTool({ name: 'task_status', arguments: { taskId, waitMs: 45_000 } });
    const { resources } = await client.listResources();
    const uri = resources.find(({ name }) => name === taskId)?.uri ?? '';
    expect((await client.readResource({ uri })).contents).toMatchObject([
      { uri, text: expect.stringMatching(/^done$/m) },
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
  } finally {
    await client.close();
  }
});
