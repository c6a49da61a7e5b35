import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CLIENT_KINDS, connect, startServer, textOf, type WireClient } from '../wire/connect.js';

const ENTRY = 'test/fixtures/children/mcp.mjs';

let folder: string;
let files = 0;
const newFile = () => join(folder, `file ${(files += 1)}`);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpify-isolated-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Resolves once none of the processes lives; a zombie does not. */
async function whenGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 20));
}

function isRunning(pid: number): boolean {
  try {
    const state = /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
    return state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

/** The numbers that the processes of `tree` have written, once all four have. */
async function whenStarted(file: string): Promise<readonly number[]> {
  for (;;) {
    const pids = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : [];
    if (pids.length >= 4) return pids;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe.each(CLIENT_KINDS)('%s client', (kind) => {
  let client: WireClient;

  beforeAll(async () => {
    client = await connect(kind, ENTRY);
  });

  test('values arrive as they were sent', async () => {
    const words = ['a b', '-x', '--help', '$(id)', '', 'ü\n😀', '*', '~'];
    const sent = { words, upper: true, level: 'high', profile: '--odd' };
    const result = await client.callTool('echo', sent);
    expect(JSON.parse(textOf(result))).toEqual(sent);
  });

  test('output keeps its order, and the exit code is told', async () => {
    const result = await client.callTool('end', { how: '5' });
    expect(textOf(result)).toBe('out\n[stderr]\nerr\n[stdout]\nlast\n[exit code 5] The command failed.');
    expect(result.isError).toBe(true);
  });

  test('lines are log messages and progress while the call waits', async () => {
    const progress: unknown[] = [];
    const before = client.logs.length;
    const result = await client.callTool(
      'log',
      {},
      { logLevel: 'debug', onProgress: (each) => progress.push(each.message) },
    );
    const text = '[stderr]\nwarn: line 1\nwarn: line 2\nwarn: line 3\n[stdout]\nlogged\n';
    expect(textOf(result)).toBe(text);
    const logs = client.logs.slice(before);
    expect(logs[0]).toMatchObject({ level: 'warning', data: 'warn: line 1' });
    expect(logs.map(({ data }) => data)).toContain('logged');
    // Lines that come faster than progress may are merged: the last of them stands for all.
    expect(progress.length).toBeGreaterThan(0);
    for (const message of progress) expect(text).toContain(`${String(message)}\n`);
  });

  test('what it reports by callContext() is heard, even if it exits at once', async () => {
    const progress: unknown[] = [];
    const before = client.logs.length;
    const result = await client.callTool(
      'reports',
      { debug: true },
      { logLevel: 'debug', onProgress: (each) => progress.push(each) },
    );
    expect(textOf(result)).toBe(
      '[log]\nwarning: {"price":null}\ndebug: deep\ninfo: 1\nerror: {"error":"RangeError: too far"}\n',
    );
    expect(progress).toEqual([{ progress: 1, total: 3, message: 'one of three' }]);
    expect(client.logs.slice(before)).toMatchObject([
      { level: 'warning', logger: 'reports', data: { price: null } },
      { level: 'debug', data: 'deep' },
      { level: 'info', data: '1' },
      { level: 'error', data: { error: 'RangeError: too far' } },
    ]);
  });
});

describe('one child', () => {
  let client: WireClient;

  beforeAll(async () => {
    client = await connect('v1', ENTRY, { env: { FORCE_COLOR: '3' } });
  });

  const call = (name: string, toolArguments = {}) => client.callTool(name, toolArguments);

  test('sees no terminal, no input and nothing of ours', async () => {
    const result = await call('surroundings');
    expect(JSON.parse(textOf(result))).toEqual({
      cwd: process.cwd(),
      argv: ['surroundings', '--'],
      execArgv: [],
      isMcp: true,
      isTTY: [false, false, false],
      stdin: '',
      colours: ['1', null],
      ours: ['MCPIFY_TREE_TOKEN'],
    });
  });

  test('debug: true raises its log level', async () => {
    expect(JSON.parse(textOf(await call('surroundings', { debug: true })))).toMatchObject({
      debug: '-winston:*,*',
    });
  });

  test.each([
    ['3', false, /last\n\[exit code 3\]$/],
    ['0', false, /last\n$/],
    ['throw', true, /it broke[\s\S]*\[exit code 1\]/],
    ['segfault', true, /\[killed by SIGSEGV\]/],
    ['abort', true, /\[killed by SIGABRT\]/],
  ])('ends: %s', async (how, isError, text) => {
    const result = await call('end', { how });
    expect(textOf(result)).toMatch(text);
    expect(Boolean(result.isError)).toBe(isError);
  });

  test('5 MB on each stream arrive, interleaved', async () => {
    const text = textOf(await call('much'));
    expect(text).toMatch(/of 10010000 bytes of output left out here/);
    expect(text.startsWith(`${'o'.repeat(1_000)}\n[stderr]\n${'e'.repeat(1_000)}\n[stdout]\n`)).toBe(true);
  });

  test('characters that come byte by byte are whole', async () => {
    expect(textOf(await call('bytes'))).toBe('😀漢字\n');
  });

  test.each([
    ['a prompt ends', 'prompt', /^Really\? no answer/],
    ['a reader of stdin meets its end', 'cat', /printed nothing/],
    ['an executable subcommand', 'file', /^arguments \[\]\n\[stderr\]\non stderr\n\[stdout\]\nx+/],
    ['options as properties', 'properties', /^value undefined\n$/],
    ['a forked child', 'forks', /^forked\n$/],
  ])('%s', async (_, name, text) => {
    expect(textOf(await call(name))).toMatch(text);
  });

  test('what commander refuses names the parameter, and no child runs', async () => {
    const result = await call('echo', { level: 'middle' });
    expect(textOf(result)).toMatch(/"level" must be one of "low", "high"/);
    expect(result.isError).toBe(true);
  });

  test('long values and NUL', async () => {
    const result = await call('size', { value: `a\0${'b'.repeat(1_000_000)}`, more: ['c'.repeat(131_072)] });
    expect(JSON.parse(textOf(result))).toEqual([1_000_002, [131_072], '"a\\u0000b"']);
  });
});

describe('secrets (K22)', () => {
  test('are seen by the command alone', async () => {
    const client = await connect('v1', ENTRY);
    const file = newFile();
    const token = 'hunter 2/%"x';
    const result = await client.callTool('secret', { apiToken: token, file, note: 'plain' });
    const { seen, apiToken } = JSON.parse(readFileSync(file, 'utf8')) as { seen: string[]; apiToken: string };
    expect(apiToken).toBe(token);
    expect(seen.join(' ')).toContain(`--api-token=*** --file=${file} -- plain`);
    expect(textOf(result)).toBe(
      'signed in with ***; url https://host/?token=***\n[stderr]\ntoken length 12\n',
    );
    expect(JSON.stringify(client.logs)).not.toMatch(/hunter/);
  });

  test('an error does not repeat one', async () => {
    const client = await connect('v1', ENTRY);
    const result = await client.callTool('secret', { apiToken: 'wrong token' });
    expect(textOf(result)).toContain('no such token: ***');
    expect(JSON.stringify(result)).not.toContain('wrong token');
  });
});

describe('the tree ends (K05, K07, K29)', () => {
  test('with the cancelled call, which is not answered; the next is', async () => {
    const server = startServer(ENTRY);
    await server.initialize();
    const file = newFile();
    const params = { name: 'tree', arguments: { file, stubborn: true } };
    server.send({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params });
    const pids = await whenStarted(file);
    server.notify('notifications/cancelled', { requestId: 'long' });
    await server.request('ping');
    await whenGone(pids);
    expect(server.messages.some(({ id }) => id === 'long')).toBe(false);
  });

  test('with its deadline, which is told', async () => {
    const env = { TEST_OPTIONS: JSON.stringify({ callTimeoutMs: 1_500 }) };
    const client = await connect('v1', ENTRY, { env });
    const file = newFile();
    const result = await client.callTool('tree', { file });
    expect(textOf(result)).toContain('Timed out: the call was stopped after 1500 ms.');
    expect((await whenStarted(file)).filter(isRunning)).toEqual([]);
  });

  test('with its command: what that leaves running goes, too, and its output is there', async () => {
    const client = await connect('v1', ENTRY);
    const file = newFile();
    const result = await client.callTool('tree', { file, leave: true });
    expect(textOf(result)).toBe('started\n');
    expect((await whenStarted(file)).filter(isRunning)).toEqual([]);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('with the server: %s', async (signal) => {
    const server = startServer(ENTRY);
    await server.initialize();
    const file = newFile();
    const params = { name: 'tree', arguments: { file, stubborn: true } };
    server.send({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params });
    const pids = await whenStarted(file);
    server.process.kill(signal);
    expect(await server.exited).toEqual({ exitCode: 0, signal: null });
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test('with a server that was killed', async () => {
    const server = startServer(ENTRY);
    await server.initialize();
    const file = newFile();
    const params = { name: 'tree', arguments: { file, stubborn: true } };
    server.send({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params });
    const pids = await whenStarted(file);
    await server.close();
    await whenGone(pids);
  });
});
