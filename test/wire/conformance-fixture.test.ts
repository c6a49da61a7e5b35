import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import {
  CLIENT_KINDS,
  connect,
  modernMeta,
  startServer,
  textOf,
  type RawServer,
  type WireClient,
} from './connect.js';

import { OWN_SCHEMA } from '../conformance/src/program.js';

const ENTRY = 'test/conformance/dist/mcp.js';

const DEBUG = { debug: { type: 'boolean' } };
const NO_PARAMETERS = { type: 'object', properties: DEBUG, additionalProperties: false };
const oneText = (name: string, description: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string', description }, ...DEBUG },
  required: [name],
  additionalProperties: false,
});

/** Name and input schema of each tool, in the order of the list. */
const TOOLS: readonly (readonly [string, object])[] = [
  ['test_simple_text', NO_PARAMETERS],
  ['test_error_handling', NO_PARAMETERS],
  ['test_tool_with_logging', NO_PARAMETERS],
  ['test_logging_tool', NO_PARAMETERS],
  ['test_tool_with_progress', NO_PARAMETERS],
  ['test_streaming_elicitation', NO_PARAMETERS],
  ['test_stdout_noise', NO_PARAMETERS],
  ['test_unicode', oneText('text', 'the text')],
  ['greet', oneText('name', 'whom to greet')],
  ['test_image_content', NO_PARAMETERS],
  ['test_audio_content', NO_PARAMETERS],
  ['test_embedded_resource', NO_PARAMETERS],
  ['test_multiple_content_types', NO_PARAMETERS],
  ['json_schema_2020_12_tool', OWN_SCHEMA],
  [
    'test_x_mcp_header',
    {
      type: 'object',
      properties: {
        region: { type: 'string', description: 'the region', 'x-mcp-header': 'Region' },
        ...DEBUG,
      },
      required: ['region'],
      additionalProperties: false,
    },
  ],
  ['static_text', NO_PARAMETERS],
  ['static_binary', NO_PARAMETERS],
  [
    'template_data',
    {
      type: 'object',
      properties: { id: { type: 'string' }, ...DEBUG },
      required: ['id'],
      additionalProperties: false,
    },
  ],
];

/** Those that ask. */
const ASKING = [
  'test_elicitation',
  'test_elicitation_sep1034_defaults',
  'test_elicitation_sep1330_enums',
  'test_input_required_result_elicitation',
  'test_input_required_result_request_state',
  'test_input_required_result_tampered_state',
  'test_input_required_result_multi_round',
];

/** Long-running: what is read only, in the order of the list, with its parameters besides the two of mcpify. */
const LONG_RUNNING: readonly (readonly [string, boolean, readonly string[]])[] = [
  ['slow_compute', true, ['seconds', 'label']],
  ['slow_touch', false, ['seconds', 'file']],
  ['failing_job', true, []],
  ['protocol_error_job', true, []],
  ['confirm_delete', true, ['filename']],
  ['multi_input', true, []],
];

const BUILT_IN = ['task_status', 'task_result', 'task_cancel'];

describe.each(CLIENT_KINDS)('%s client', (kind) => {
  let client: WireClient;

  beforeAll(async () => {
    client = await connect(kind, ENTRY);
  });

  test('lists the commands in the order of their declaration', async () => {
    const all = await client.listTools();
    const tools = all.slice(0, TOOLS.length);
    expect(tools.map(({ name, inputSchema }) => [name, inputSchema])).toEqual(TOOLS);
    const names = [...TOOLS, ...LONG_RUNNING].map(([name]) => name);
    expect(all.map(({ name }) => name)).toEqual([...names, ...ASKING, ...BUILT_IN]);
    for (const { annotations } of tools) {
      expect(annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      });
    }
  });

  test.each(LONG_RUNNING)('%s is long-running', async (name, isReadOnly, own) => {
    const tool = (await client.listTools()).find((each) => each.name === name) as any;
    expect(Object.keys(tool.inputSchema.properties)).toEqual([...own, 'background', 'debug']);
    expect(tool.annotations).toMatchObject({ readOnlyHint: isReadOnly, destructiveHint: false });
    expect(tool.description).toMatch(/Runs in the background: returns a taskId at once\.$/);
  });

  test.each<[string, Record<string, unknown>, object, string]>([
    ['slow_compute', { seconds: 0.1, label: 'sums' }, { status: 'completed', exitCode: 0 }, 'computed sums'],
    ['failing_job', {}, { status: 'failed', exitCode: 1 }, 'This job intentionally fails for testing'],
    ['protocol_error_job', {}, { status: 'failed', reason: 'spawn-error' }, 'could not be started'],
  ])('%s %j runs as a task', async (name, toolArguments, status, text) => {
    // Runs as a task of the protocol only, where there is one (test/background/native-tasks.test.ts).
    if (name === 'failing_job' && (kind === 'v2 auto' || kind === 'v2 2026-07-28')) {
      await expect(client.callTool(name, toolArguments)).rejects.toMatchObject({ code: -32_021 });
      return;
    }
    const { taskId } = (await client.callTool(name, toolArguments)).structuredContent as { taskId: string };
    const end = await client.callTool('task_status', { taskId, waitMs: 30_000 });
    expect(end.structuredContent).toMatchObject(status);
    expect(textOf(await client.callTool('task_result', { taskId }))).toContain(text);
  });

  test('a cancelled task does no more', async () => {
    const file = join(tmpdir(), `mcpify-touched-${process.pid}-${kind}`);
    const touch = await client.callTool('slow_touch', { seconds: 3_600, file });
    const { taskId } = touch.structuredContent as { taskId: string };
    expect((await client.callTool('task_cancel', { taskId })).structuredContent).toMatchObject({
      status: 'cancelled',
    });
    expect(existsSync(file)).toBe(false);
  });

  test('background: false waits for the end', async () => {
    const toolArguments = { seconds: 0.1, label: 'sums', background: false };
    const result = await client.callTool('slow_compute', toolArguments);
    expect(textOf(result)).toBe('computed sums\n');
    expect(result).not.toHaveProperty('structuredContent');
  });

  test.each<[string, Record<string, unknown> | undefined, string]>([
    ['test_simple_text', undefined, 'This is a simple text response for testing.'],
    ['test_stdout_noise', {}, 'noise one\nnoise two'],
    ['test_logging_tool', {}, 'This is a log line for testing'],
    ['test_tool_with_progress', {}, 'Progress was reported.'],
    ['test_streaming_elicitation', {}, 'Nothing is elicited'],
    ['test_unicode', { text: 'Grüße, 世界 👋🏽 \u2028 "\\n" \u0001' }, 'Grüße, 世界 👋🏽 \u2028 "\\n" \u0001'],
    ['test_unicode', { text: '--help' }, '--help'],
    ['test_unicode', { text: 'é'.repeat(200) }, 'é'.repeat(200)],
    ['test_unicode', { text: 'é'.repeat(201) }, 'length 201'],
    ['greet', { name: 'Ada' }, 'Hello, Ada!'],
    ['test_x_mcp_header', { region: 'eu-1' }, 'Region: eu-1'],
  ])('%s %j', async (name, toolArguments, text) => {
    const result = await client.callTool(name, toolArguments);
    expect(result.isError).toBeFalsy();
    expect(textOf(result).replace(/\n$/, '')).toBe(text);
  });

  test('images, sounds and resources', async () => {
    const typesOf = async (name: string) => (await client.callTool(name)).content.map(({ type }) => type);
    expect(await typesOf('test_image_content')).toEqual(['image']);
    expect(await typesOf('test_audio_content')).toEqual(['audio']);
    expect(await typesOf('test_embedded_resource')).toEqual(['resource']);
    expect(await typesOf('test_multiple_content_types')).toEqual(['text', 'image', 'resource']);
  });

  test('a schema of the author’s own is the one that holds', async () => {
    const valid = { email: 'a@b.example', contactMethod: 'email' };
    expect((await client.callTool('json_schema_2020_12_tool', valid)).isError).toBeFalsy();
    const noPhone = { email: 'a@b.example', contactMethod: 'phone' };
    expect((await client.callTool('json_schema_2020_12_tool', noPhone)).isError).toBe(true);
  });

  test('a command that throws is an error result', async () => {
    const result = await client.callTool('test_error_handling');
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('This tool intentionally returns an error for testing');
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['greet', {}, '"name"'],
    ['greet', { name: { first: 'Ada' } }, '"name"'],
    ['greet', { name: 'Ada', nmae: 'x' }, '"nmae"'],
    ['test_simple_text', { region: 'eu' }, '"region"'],
  ])('wrong arguments are named: %s %j', async (name, toolArguments, named) => {
    const result = await client.callTool(name, toolArguments);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(named);
  });

  test('an unknown tool is a protocol error', async () => {
    await expect(client.callTool('no_such_tool')).rejects.toMatchObject({ code: -32602 });
  });

  test('log lines arrive as log messages, and in the result', async () => {
    const before = client.logs.length;
    const result = await client.callTool('test_tool_with_logging', {}, { logLevel: 'info' });
    expect(client.logs.slice(before)).toEqual(
      ['Tool execution started', 'Tool processing data', 'Tool execution completed'].map((data) => ({
        level: 'info',
        logger: 'test_tool_with_logging',
        data,
      })),
    );
    expect(textOf(result)).toContain(
      'Tool execution started\nTool processing data\nTool execution completed',
    );
  });

  test('progress arrives, rising', async () => {
    const reports: Array<{ progress: number; total?: number }> = [];
    await client.callTool('test_tool_with_progress', {}, { onProgress: (report) => reports.push(report) });
    expect(reports.map(({ progress, total }) => [progress, total])).toEqual([
      [0, 100],
      [50, 100],
      [100, 100],
    ]);
  });

  test('writes nothing to stderr', () => {
    expect(client.stderr()).toBe('');
  });
});

describe('on the wire', () => {
  const call = (server: RawServer, name: string, toolArguments = {}, meta?: object) =>
    server.request('tools/call', { name, arguments: toolArguments, ...(meta && { _meta: meta }) });

  test('every line of stdout is a message, whatever the commands write', async () => {
    const server = startServer(ENTRY);
    await server.initialize();
    await Promise.all(TOOLS.map(([name]) => call(server, name, {})));
    expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
    for (const line of server.stdoutLines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  test('overlapping calls keep their output apart', async () => {
    const server = startServer(ENTRY);
    await server.initialize();
    const names = Array.from({ length: 50 }, (_, index) => `caller ${index}`);
    const answers = await Promise.all(names.map((name) => call(server, 'greet', { name })));
    expect(answers.map(({ result }) => result?.['content'][0].text.trim())).toEqual(
      names.map((name) => `Hello, ${name}!`),
    );
  });

  test('2026-07-28: no log message unasked, and only from the level asked for', async () => {
    const server = startServer(ENTRY);
    const levels: ReadonlyArray<[object, number]> = [
      [{}, 0],
      [{ 'io.modelcontextprotocol/logLevel': 'warning' }, 0],
      [{ 'io.modelcontextprotocol/logLevel': 'info' }, 3],
    ];
    for (const [more, expected] of levels) {
      const before = server.messages.length;
      const answer = await call(server, 'test_tool_with_logging', {}, modernMeta({ ...more }));
      expect(answer.result).toMatchObject({ resultType: 'complete' });
      const messages = server.messages
        .slice(before)
        .filter(({ method }) => method === 'notifications/message');
      expect(messages).toHaveLength(expected);
    }
  });

  /** What a call wrote before its answer: the method and parameters of each notification. */
  async function notificationsOf(server: RawServer, name: string, progressToken?: string | number) {
    const before = server.messages.length;
    await call(server, name, {}, progressToken === undefined ? undefined : { progressToken });
    const written = server.messages.slice(before);
    expect(written.pop()).toHaveProperty('result');
    return written.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params);
  }

  test.each([0, 7, 'a token', ''])('progress carries the token %j as it was sent', async (progressToken) => {
    const server = startServer(ENTRY);
    await server.initialize();
    expect(await notificationsOf(server, 'test_tool_with_progress', progressToken)).toEqual([
      { progressToken, progress: 0, total: 100, message: 'Completed 0 of 100' },
      { progressToken, progress: 50, total: 100, message: 'Completed 50 of 100' },
      { progressToken, progress: 100, total: 100, message: 'Completed 100 of 100' },
    ]);
  });

  test('log lines are progress where the command reports none itself', async () => {
    const server = startServer(ENTRY);
    await server.initialize();
    expect(await notificationsOf(server, 'test_tool_with_logging', 'p')).toEqual([
      { progressToken: 'p', progress: 1, message: 'Tool execution started' },
      { progressToken: 'p', progress: 2, message: 'Tool processing data' },
      { progressToken: 'p', progress: 3, message: 'Tool execution completed' },
    ]);
  });

  test('no token, no progress', async () => {
    const server = startServer(ENTRY);
    await server.initialize();
    expect(await notificationsOf(server, 'test_tool_with_progress')).toEqual([]);
  });
});
