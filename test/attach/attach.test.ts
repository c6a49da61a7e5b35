import { describe, expect, test } from 'vitest';

import {
  CLIENT_KINDS,
  connect,
  modernMeta,
  type RawServer,
  startServer,
  textOf,
  type ClientKind,
  type WireClient,
} from '../wire/connect.js';

/** For what comes when it comes. */
const WAIT = { timeout: 10_000 };

const FIXTURES = 'test/attach/fixtures';
const TOOLS = ['print', 'end', 'input', 'crash', 'wait', 'admin'];

interface Host {
  readonly entry: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly clients: readonly ClientKind[];
  /** A tool of the host's stands behind those that were added. */
  readonly isLastBehind: boolean;
}

const HOSTS: Readonly<Record<string, Host>> = {
  'v1 McpServer': {
    entry: `${FIXTURES}/v1-mcp-server.mjs`,
    clients: ['v1', 'v2 auto'],
    isLastBehind: true,
  },
  'v1 McpServer that runs': {
    entry: `${FIXTURES}/v1-mcp-server.mjs`,
    env: { LATE: '1' },
    clients: ['v1'],
    isLastBehind: true,
  },
  'v1 Server with tools': {
    entry: `${FIXTURES}/v1-server.mjs`,
    env: { OWN: 'before' },
    clients: ['v1', 'v2 legacy'],
    isLastBehind: false,
  },
  'v1 Server that gets tools later': {
    entry: `${FIXTURES}/v1-server.mjs`,
    env: { OWN: 'after' },
    clients: ['v1'],
    isLastBehind: false,
  },
  'v2 McpServer': { entry: `${FIXTURES}/v2.mjs`, clients: CLIENT_KINDS, isLastBehind: true },
};

const PAIRS = Object.entries(HOSTS).flatMap(([name, host]) =>
  host.clients.map((kind) => ({ name, kind, host })),
);

describe.each(PAIRS)('$name, client $kind', ({ kind, host }) => {
  let client: Promise<WireClient> | undefined;
  const shared = () => (client ??= connectTo(kind, host));

  test('lists the host’s tools and the program’s, in their order', async () => {
    const listed = await (await shared()).listTools();
    const names = listed.map(({ name }) => name);
    const program = [...TOOLS, 'cache_show', 'cache_clear'];
    if (host.isLastBehind) expect(names).toEqual(['own_first', ...program, 'own_last']);
    // The v1 client asks for one page: the program's stand on the last, which is the second.
    else if (kind === 'v1') expect(names).toEqual(['own_first']);
    else expect(names).toEqual(['own_first', 'own_last', ...program]);
    const print = listed.find(({ name }) => name === 'print');
    if (!print) return;
    expect(print).toMatchObject({
      title: 'Print',
      annotations: { title: 'Print', readOnlyHint: true, destructiveHint: false, openWorldHint: false },
      inputSchema: {
        type: 'object',
        properties: { someText: { type: 'string' }, count: { type: 'number' } },
        additionalProperties: false,
      },
    });
  });

  test('a call owns what it prints, by whatever way', async () => {
    const result = await (await shared()).callTool('print', { someText: 'own' });
    expect(textOf(result)).toBe(
      'log own\nwrite own\nfs own\n[stderr]\nerror own\n[stdout]\nchild\nterminal false\n',
    );
  });

  test('wrong arguments are told in words that the model can act on', async () => {
    const { callTool } = await shared();
    expect(textOf(await callTool('print', { 'some-text': 'flag' }))).toContain('log flag\n');
    const unknown = await callTool('print', { someTxt: 'x' });
    expect(unknown.isError).toBe(true);
    expect(textOf(unknown)).toContain('someText');
    const wrong = await callTool('print', { someText: 'x', count: 'many' });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toContain('count');
  });

  test('exits, crashes and reads of stdin are the call’s alone', async () => {
    const { callTool } = await shared();
    const results = await Promise.all(['end', 'crash', 'input'].map((name) => callTool(name)));
    expect(results.map(textOf)).toEqual([
      '[exit code 3] The command failed and printed nothing.',
      'Error: crash in a callback',
      'read 0\n',
    ]);
    expect(results.map(({ isError }) => isError === true)).toEqual([true, true, false]);
  });

  test('the host’s own tools see the process as it was', async () => {
    const { callTool } = await shared();
    const own = JSON.parse(textOf(await callTool('own_first'))) as unknown;
    expect(own).toEqual({ stdin: false, noColor: null, exitCode: null, argv: 2, stopped: 0 });
  });

  test('progress arrives, and cancelling stops the command', async () => {
    const { callTool } = await shared();
    const controller = new AbortController();
    const progress: unknown[] = [];
    const call = callTool(
      'wait',
      {},
      {
        signal: controller.signal,
        onProgress(each) {
          progress.push(each);
          controller.abort();
        },
      },
    );
    await expect(call).rejects.toThrow();
    expect(progress[0]).toMatchObject({ progress: 1, total: 2, message: 'waiting' });
    await expect.poll(async () => textOf(await callTool('own_first')), WAIT).toContain('"stopped":1');
  });

  test('log messages go to whoever wants them', async () => {
    const { callTool, logs } = await shared();
    const before = logs.length;
    await callTool('print', { someText: 'to the log' }, { logLevel: 'info' });
    const lines = logs.slice(before);
    expect(lines.map(({ data }) => data)).toContain('log to the log');
    expect(lines.every(({ logger }) => logger === 'print')).toBe(true);
  });
});

describe.each(Object.values(HOSTS).map((host, index) => ({ name: Object.keys(HOSTS)[index], host })))(
  '$name',
  ({ host }) => {
    test('the host’s own failures stay its own', async () => {
      const server = startServer(host.entry, { env: host.env ?? {} });
      await server.initialize();
      await whenAttached(server, host);
      server.send({ jsonrpc: '2.0', id: 'own', method: 'tools/call', params: { name: 'own_last' } });
      expect(await server.exited).toEqual({ exitCode: 1, signal: null });
      expect(server.stderr).toContain('Error: the host fails');
      expect(server.stderr).toContain('EXIT 1');
    });

    test('the process ends with its client', async () => {
      const server = startServer(host.entry, { env: host.env ?? {} });
      await server.initialize();
      await whenAttached(server, host);
      const { result } = await server.request('tools/call', { name: 'print', arguments: { someText: 'x' } });
      expect(result?.['content'][0].text).toContain('log x\n');
      expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
      expect(server.stderr).toContain('EXIT 0');
      expect(server.stdoutLines.every((line) => line.startsWith('{'))).toBe(true);
    });

    test('a name that the host has is an error of use', async () => {
      const server = startServer(host.entry, { env: { ...host.env, OWN_NAME: 'print' } });
      if (host.isLastBehind) {
        server.send({ jsonrpc: '2.0', id: 0, method: 'server/discover', params: { _meta: modernMeta() } });
        expect((await server.exited).exitCode).toBe(1);
        expect(server.stderr).toContain('UsageError DUPLICATE_TOOL The server has a tool "print" already');
        return;
      }
      // What a handler of its own lists is known when it is asked.
      await server.initialize();
      // Before anybody has asked, too: a call must not reach another tool than was meant.
      const params = { name: 'print', arguments: { someText: 'x' } };
      const called = await server.request('tools/call', params);
      expect(called.error?.message).toContain('has a tool "print" already');
      expect((await server.request('tools/list')).error?.message).toContain('has a tool "print" already');
      expect((await server.request('tools/call', params)).error?.message).toContain('has a tool "print"');
      expect((await server.request('tools/call', { name: 'input' })).result).toMatchObject({
        content: [{ text: 'read 0\n' }],
      });
    });

    test('arguments that are nested too deep are refused', async () => {
      const server = startServer(host.entry, { env: host.env ?? {} });
      await server.initialize();
      await whenAttached(server, host);
      for (const levels of [1_001, 50_000]) {
        const nested = `${'{"a":'.repeat(levels - 1)}1${'}'.repeat(levels - 1)}`;
        const params = `{"name":"print","arguments":{"someText":${nested}}}`;
        server.send(`{"jsonrpc":"2.0","id":${levels},"method":"tools/call","params":${params}}\n`);
        expect((await server.answerTo(levels)).result).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining('nested deeper than 1000 levels') }],
        });
      }
    });

    test('settings of the server are refused', async () => {
      const SETTINGS = JSON.stringify({ cwd: '/tmp' });
      const server = startServer(host.entry, { env: { ...host.env, SETTINGS } });
      server.send({ jsonrpc: '2.0', id: 0, method: 'server/discover', params: { _meta: modernMeta() } });
      expect((await server.exited).exitCode).toBe(1);
      expect(server.stderr).toContain('UsageError INVALID_SETTING Setting "cwd" is not one of attach');
    });

    test('a client that does not read mixes nothing up', async () => {
      const server = startServer(host.entry, { env: { ...host.env, BIG: String(2 ** 20) } });
      await server.initialize();
      await whenAttached(server, host);
      server.process.stdout?.pause();
      const answers = ['own_first', 'print', 'own_first', 'print'].map((name) =>
        server.request('tools/call', { name, arguments: name === 'print' ? { someText: 'x' } : {} }),
      );
      await expect.poll(() => server.process.stdout?.readableLength, WAIT).toBeGreaterThan(0);
      server.process.stdout?.resume();
      const texts = (await Promise.all(answers)).map(({ result }) => result?.['content'][0].text as string);
      expect(texts[0]!.length).toBeGreaterThan(2 ** 20);
      expect(texts[1]).toContain('log x\nwrite x\nfs x\n');
      expect(server.stdoutLines.every((line) => line.startsWith('{') && line.endsWith('}'))).toBe(true);
    });
  },
);

test('a Server without tools of its own gets those of the program', async () => {
  const { listTools, callTool } = await connect('v1', `${FIXTURES}/v1-server.mjs`, { env: { OWN: 'none' } });
  expect((await listTools()).map(({ name }) => name)).toEqual([...TOOLS, 'cache_show', 'cache_clear']);
  await expect(callTool('nothing')).rejects.toMatchObject({ code: -32_602 });
});

test('commands that would be resources are told of', async () => {
  const server = startServer(`${FIXTURES}/v2.mjs`, { env: { RESOURCE: '1' } });
  await server.initialize();
  await server.stderrText(/^mcpify: warning: McpResource has no effect with attach, .*: print\.$/m);
});

async function connectTo(kind: ClientKind, { entry, env = {} }: Host): Promise<WireClient> {
  const client = await connect(kind, entry, { env });
  // A server that runs gets its tools a moment after it has its client.
  const isPaged = env['OWN'] !== undefined;
  if (!isPaged) await expect.poll(() => namesOf(client), WAIT).toContain('own_last');
  return client;
}

async function whenAttached(server: RawServer, { isLastBehind }: Host): Promise<void> {
  if (!isLastBehind) return;
  await expect
    .poll(async () => JSON.stringify((await server.request('tools/list')).result), WAIT)
    .toContain('"own_last"');
}

async function namesOf(client: WireClient) {
  return (await client.listTools()).map(({ name }) => name);
}
