import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { answerOf, call, initialize, post, startHttp, startOwn } from '../http/http-server.js';
import { connect, modernMeta, textOf } from '../wire/connect.js';

const ENTRY = 'test/fixtures/middleware/mcp.mjs';
const TOOLS = ['group_here', 'group_apart', 'group_later'];

interface Wire {
  call(name: string, toolArguments?: Record<string, unknown>): Promise<any>;
  listTools(): Promise<readonly unknown[]>;
  stderr(): string;
}

const WIRES = ['stdio 2025-11-25', 'stdio 2026-07-28', 'HTTP 2025-11-25', 'HTTP 2026-07-28'] as const;

let folder: string;
let state: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcpify-middleware-'));
  state = join(folder, 'state.json');
});
afterAll(() => rm(folder, { recursive: true }));

const setState = (text: string) => writeFile(state, text);

async function open(
  wire: (typeof WIRES)[number],
  env: Record<string, string | undefined> = {},
): Promise<Wire> {
  const start = { env: { STATE: state, ...env } };
  const [transport, revision] = wire.split(' ');
  if (transport === 'stdio') {
    const kind = revision === '2025-11-25' ? 'v1' : 'v2 2026-07-28';
    const client = await connect(kind, ENTRY, start);
    return { ...client, call: (name, toolArguments) => client.callTool(name, toolArguments) };
  }
  const { url, stderr } = await startHttp(ENTRY, start);
  return { ...(await overHttp(url, revision === '2026-07-28')), stderr };
}

/** @param token who calls, where the server knows its callers */
async function overHttp(url: string, isModern: boolean, token?: string): Promise<Omit<Wire, 'stderr'>> {
  const own: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  let headers = own;
  if (!isModern) {
    const opened = await post(url, initialize(), own);
    headers = { ...own, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  }
  const request = async (method: string, params: object, name?: string) => {
    const modern = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    };
    const message = { ...call(''), method, params: { ...params, ...(isModern && { _meta: modernMeta() }) } };
    const { result } = await answerOf(await post(url, message, { ...headers, ...(isModern && modern) }));
    return result;
  };
  return {
    call: (name, toolArguments = {}) => request('tools/call', { name, arguments: toolArguments }, name),
    listTools: async () => (await request('tools/list', {})).tools,
  };
}

describe.each(WIRES)('over %s', (name) => {
  let wire: Wire;
  let trace: string;
  let count = 0;

  beforeAll(async () => {
    await setState('{}');
    wire = await open(name);
  });
  beforeEach(async () => {
    await setState('{}');
    trace = join(folder, `${name.replaceAll(' ', '-')}-${(count += 1)}`);
    await writeFile(trace, '');
  });

  /** A long-running command is waited for: what it did is to be seen. */
  const run = (tool: string, toolArguments: Record<string, unknown> = {}) =>
    wire.call(tool, { trace, ...toolArguments, ...(tool === 'group_later' && { background: false }) });
  const traces = () => readFile(trace, 'utf8');

  test.each(TOOLS)('%s: what is in order runs once, and its result comes as it is', async (tool) => {
    const result = await run(tool, { note: 'fine', files: ['a'] });
    expect(textOf(result)).toMatch(/^ran \w+: card 1234-5678\n$/);
    expect(result.isError).toBeUndefined();
    expect(await traces()).toMatch(/^\w+ fine undefined 4 a\n$/);
  });

  test.each(TOOLS)('%s: disabled at run time, with a hint, and enabled again', async (tool) => {
    const before = await wire.listTools();
    await setState(JSON.stringify({ [tool]: 'Switch it on in the settings window.' }));
    // Wrong arguments of a tool that is off are nobody's concern.
    for (const toolArguments of [{}, { jobs: 'many' }]) {
      const result = await run(tool, toolArguments);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toBe(
        `The tool ${tool} is disabled. Switch it on in the settings window. Nothing was run.`,
      );
    }
    expect(await wire.listTools()).toEqual(before);
    await setState(JSON.stringify({ [tool]: 'Ask Ann' }));
    expect(textOf(await run(tool))).toBe(`The tool ${tool} is disabled. Ask Ann. Nothing was run.`);
    await setState(JSON.stringify({ [tool]: false }));
    expect(textOf(await run(tool))).toBe(
      `The tool ${tool} is disabled. It is not to be used at the moment. Nothing was run.`,
    );
    expect(await traces()).toBe('');
    await setState('{}');
    expect((await run(tool)).isError).toBeUndefined();
  });

  test('where the state cannot be read, nothing runs', async () => {
    await setState('{');
    const result = await run('group_here');
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      /^Whether group_here is enabled cannot be told: .+JSON.+ Nothing was run\.$/,
    );
    expect(await traces()).toBe('');
  });

  test.each(TOOLS)('%s: an error refuses the call, in its own words and without a stack', async (tool) => {
    const refused = await run(tool, { note: 'forbidden' });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toBe('Not on a Sunday. Nothing was run.');
    expect(textOf(await run(tool, { note: 'bug' }))).toBe('it broke. Nothing was run.');
    expect(textOf(await run(tool, { note: 'no reason' }))).toBe(
      'A middleware failed without a reason (it threw undefined). Nothing was run.',
    );
    expect(textOf(await run(tool, { note: 'secret', token: 'open sesame' }))).toBe(
      'The token "***" is not for this. Nothing was run.',
    );
    expect(await traces()).toBe('');
  });

  test('a long-running command that is refused starts no task', async () => {
    const tasks = async () => textOf(await wire.call('task_status')).split('group_later').length;
    const before = await tasks();
    const refused = await wire.call('group_later', { trace, note: 'forbidden' });
    expect(refused.structuredContent).toBeUndefined();
    expect(await tasks()).toBe(before);
    const started = await wire.call('group_later', { trace, note: 'fine' });
    const { taskId } = started.structuredContent;
    expect(taskId).toBeDefined();
    expect(textOf(await wire.call('task_status', { taskId, waitMs: 20_000 }))).toContain('completed');
    expect(await traces()).toMatch(/^later fine undefined 4 \n$/);
  });

  test.each(TOOLS)('%s: another result in place of the command', async (tool) => {
    expect(textOf(await run(tool, { note: 'instead' }))).toBe('from a store');
    const nothing = await run(tool, { note: 'nothing' });
    expect(nothing.isError).toBe(true);
    expect(textOf(nothing)).toMatch(/"around" of a middleware gave no result.* Nothing was run\.$/);
    expect(await traces()).toBe('');
  });

  test.each(TOOLS)(
    '%s: what no client can read is told as a mistake, and every call is answered',
    async (tool) => {
      const textless = await run(tool, { note: 'no text' });
      expect(textless.isError).toBe(true);
      expect(textOf(textless)).toContain('"around" of a middleware gave no result');
      const unsendable = await run(tool, { note: 'no JSON' });
      expect(unsendable.isError).toBe(true);
      expect(textOf(unsendable)).toContain('BigInt');
    },
  );

  test.each(TOOLS)('%s: a result is replaced, or withheld', async (tool) => {
    expect(textOf(await run(tool, { note: 'redact' }))).toMatch(/^ran \w+: card …\n$/);
    const withheld = await run(tool, { note: 'withhold' });
    expect(withheld.isError).toBe(true);
    expect(textOf(withheld)).toBe('Too much of it. The command was started; its result is withheld.');
    expect((await traces()).split('\n')).toHaveLength(3);
  });

  test.each(TOOLS)('%s: a command runs once, however often it is asked for', async (tool) => {
    const twice = await run(tool, { note: 'twice' });
    expect(twice.isError).toBe(true);
    expect(textOf(twice)).toContain('next() a second time');
    expect(await traces()).toMatch(/^\w+ twice .*\n$/);
  });

  test('arguments cannot be changed', async () => {
    for (const note of ['change', 'change list']) {
      const result = await run('group_here', { note, files: ['a'], connection: 'own' });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(/read only|not extensible/);
    }
    expect(await traces()).toBe('');
  });

  test('a middleware sees tool, path and values, and secrets and control parameters not', async () => {
    await run('group_apart', { note: 'to see', token: 'open sesame', files: ['a', 'b'], debug: true });
    const line = /^BEFORE \d+ (.*"note":"to see".*)$/m;
    await expect.poll(wire.stderr).toMatch(line);
    expect(JSON.parse(line.exec(wire.stderr())![1]!)).toEqual({
      name: 'group_apart',
      commandPath: ['group', 'apart'],
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      },
      values: { note: 'to see', token: '***', files: ['a', 'b'], trace },
    });
    expect(wire.stderr()).not.toContain('open sesame');
  });

  test('the outer one sees what an inner one refused', async () => {
    const { length } = wire.stderr();
    await run('group_here', { note: 'forbidden', connection: 'seen from outside' });
    const news = () => wire.stderr().slice(length);
    await expect
      .poll(news)
      .toMatch(/^BEFORE .*seen from outside.*\n(?:mcpify: .*\n)?AFTER group_here .*"isError":true.*$/m);
  });

  test('a call that is refused leaves nothing in the session', async () => {
    const isModern = name.endsWith('2026-07-28');
    const first = await run('group_here', {
      note: 'fine',
      connection: 'kept',
      ...(isModern && { session: 'new' }),
    });
    const handle = /"session": "(\w+)"/.exec(textOf(first))?.[1];
    const session = isModern ? { session: handle } : {};
    await run('group_here', { note: 'forbidden', connection: 'refused', ...session });
    await setState('{"group_here":false}');
    await run('group_here', { note: 'fine', connection: 'disabled', ...session });
    const { structuredContent } = await wire.call('cache_show', session);
    const values = structuredContent.values.map(({ name, value }: any) => [name, value]);
    expect(values).toContainEqual(['connection', 'kept']);
    expect(values).toContainEqual(['note', 'fine']);
    // What comes from the session is a value as any other.
    await setState('{}');
    await run('group_apart', { ...session, note: 'of session' });
    await expect
      .poll(wire.stderr)
      .toMatch(/^BEFORE .*"group","apart".*"values":\{"note":"of session","connection":"kept",/m);
  });
});

test('DEBUG=1 shows more to the caller', async () => {
  await setState('{}');
  const { call: callTool } = await open('stdio 2025-11-25', { DEBUG: '1' });
  const text = textOf(await callTool('group_here', { note: 'bug', trace: join(folder, 'debug') }));
  expect(text).toMatch(/TypeError: it broke\n +at .*options\.mjs/);
  expect(text).toContain('deep inside');
});

test.each([false, true])('a caller who is known is named (2026-07-28: %s)', async (isModern) => {
  const server = await startOwn('test/fixtures/middleware/oauth.mjs', { env: { STATE: state } });
  await setState('{}');
  const alice = await overHttp(server.url, isModern, 'alice');
  await alice.call('group_here', { note: 'instead', trace: 'none' });
  await expect.poll(server.stderr).toMatch(/^BEFORE 1 .*"caller":"alice"/m);
});
