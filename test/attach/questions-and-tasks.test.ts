import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newFolder } from '../background/background.js';
import { answerOf, post, startOwn } from '../http/http-server.js';
import { modernMeta, REPOSITORY, textOf, type CallResult } from '../wire/connect.js';
import { serverCommand } from '../wire/server-command.js';

/* Commands that ask, and that run in the background, in a server that is somebody else's: on stdio and over HTTP. */

const FIXTURES = 'test/attach/fixtures';
const QUESTIONS = join(REPOSITORY, 'test/questions/fixtures');
const INFO = { name: 'asked', version: '1.0.0' };
const REFUSED = /cannot be asked during a call: "Erase a\?"\. Pass "confirm"/u;

const env = {
  PROGRAM: pathToFileURL(join(QUESTIONS, 'program.mjs')).href,
  OWN: 'none',
  SETTINGS: JSON.stringify({ cliEntry: join(QUESTIONS, 'main.mjs'), stateDir: newFolder() }),
};

type Era = 'legacy' | '2026-07-28';
type Reply = () => { action: 'accept' | 'decline'; content?: Record<string, boolean | string> };

interface Caller {
  call(name: string, toolArguments?: Record<string, unknown>): Promise<CallResult>;
  close(): Promise<void>;
}

const WAYS: readonly (readonly [host: string, entry: string, sdk: 'v1' | 'v2', era: Era])[] = [
  ['v1 McpServer', 'v1-mcp-server.mjs', 'v1', 'legacy'],
  ['v1 Server', 'v1-server.mjs', 'v1', 'legacy'],
  ['v2 McpServer', 'v2.mjs', 'v2', 'legacy'],
  ['v2 McpServer', 'v2.mjs', 'v2', '2026-07-28'],
  ['v1 McpServer over HTTP', 'v1-http.mjs', 'v1', 'legacy'],
  ['v2 McpServer over HTTP', 'v2-http.mjs', 'v2', '2026-07-28'],
];

/** @param reply undefined: a client that cannot be asked */
async function connectTo(
  entry: string,
  sdk: 'v1' | 'v2',
  era: Era,
  reply: Reply | undefined,
): Promise<Caller> {
  const path = `${FIXTURES}/${entry}`;
  const url = entry.endsWith('-http.mjs') ? new URL((await startOwn(path, { env })).url) : undefined;
  const start = { ...serverCommand(path, { env }), stderr: 'pipe' as const };
  const options = { capabilities: reply ? { elicitation: {} } : {} };
  if (sdk === 'v1') {
    const client = new ClientV1(INFO, options);
    if (reply) client.setRequestHandler(ElicitRequestSchema, () => reply() as never);
    await client.connect(url ? (new HttpV1(url) as never) : new StdioV1(start));
    return {
      call: (name, toolArguments = {}) => client.callTool({ name, arguments: toolArguments }) as never,
      close: () => client.close(),
    };
  }
  const mode = era === 'legacy' ? era : { pin: era };
  const client = new ClientV2(INFO, { ...options, versionNegotiation: { mode } });
  if (reply) client.setRequestHandler('elicitation/create', () => reply() as never);
  await client.connect(url ? new HttpV2(url) : new StdioV2(start));
  return {
    call: (name, toolArguments = {}) => client.callTool({ name, arguments: toolArguments }) as never,
    close: () => client.close(),
  };
}

describe.each(WAYS)('%s (%s), client %s, %s', (_, entry, sdk, era) => {
  let reply: Reply = () => ({ action: 'decline' });
  let asked: Caller;

  beforeAll(async () => {
    asked = await connectTo(entry, sdk, era, () => reply());
  });

  afterAll(() => asked.close());

  test.each(['erase', 'erase_alone', 'erase_isolated'])(
    '%s: the answer reaches the command',
    async (tool) => {
      reply = () => ({ action: 'accept', content: { confirm: true } });
      expect(textOf(await asked.call(tool, { name: 'a' }))).toBe('begins with a\naccept: {"confirm":true}\n');
      reply = () => ({ action: 'decline' });
      expect(textOf(await asked.call(tool, { name: 'a' }))).toBe('begins with a\ndecline\n');
    },
  );

  test('questions at the same time, and an answer that is none', async () => {
    reply = () => ({ action: 'accept', content: { first: '1', second: '2' } });
    expect(textOf(await asked.call('two'))).toContain('"first":"1"');
    reply = () => ({ action: 'accept', content: { confirm: 'perhaps' } });
    const wrong = await asked.call('erase', { name: 'a' });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toContain('is not what was asked for: confirm');
  });

  test('a task asks nobody; its end and its log are told by the tools', async () => {
    const { taskId } = (await asked.call('erase_later', { name: 'a' })).structuredContent as {
      taskId: string;
    };
    const status = await asked.call('task_status', { taskId, waitMs: 45_000 });
    expect(status.structuredContent).toMatchObject({ taskId, status: 'failed' });
    const log = textOf(await asked.call('task_result', { taskId, offsetBytes: 0 }));
    expect(log).toContain('begins with a');
    expect(log).toMatch(REFUSED);
  });
});

test.each(WAYS.slice(1, 4))(
  '%s (%s), client %s, %s: one that cannot be asked is told what to pass',
  async (...way) => {
    const [, ...how] = way;
    const silent = await connectTo(...how, undefined);
    const result = await silent.call('erase', { name: 'a' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(REFUSED);
    await silent.close();
  },
);

test('over HTTP each request has a server of its own: a call goes on in another one, for its own tool alone', async () => {
  const { url } = await startOwn(`${FIXTURES}/v2-http.mjs`, { env });
  const send = async (name: string, more: object = {}) => {
    const _meta = modernMeta({ 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } });
    const params = { name, arguments: { name: 'a' }, ...more, _meta };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name };
    return answerOf(await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers));
  };
  const { requestState, resultType } = (await send('erase')).result;
  expect(resultType).toBe('input_required');
  const inputResponses = { question1: { action: 'accept', content: { confirm: true } } };
  const refused = { isError: true, content: [{ text: expect.stringContaining('expired requestState') }] };
  expect((await send('two', { requestState, inputResponses })).result).toMatchObject(refused);
  const again = { requestState, inputResponses };
  expect((await send('erase', again)).result).toMatchObject({
    resultType: 'complete',
    content: [{ text: 'begins with a\naccept: {"confirm":true}\n' }],
  });
  expect((await send('erase', again)).result).toMatchObject(refused);
});

test('over HTTP without a session a client of an older revision cannot be asked', async () => {
  const asked = await connectTo('v2-http.mjs', 'v2', 'legacy', () => ({ action: 'decline' }));
  expect(textOf(await asked.call('erase', { name: 'a' }))).toMatch(REFUSED);
  await asked.close();
});
