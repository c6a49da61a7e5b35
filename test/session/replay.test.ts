import { beforeAll, describe, expect, test } from 'vitest';

import { modernMeta, startServer, type Message, type RawServer } from '../wire/connect.js';

/*
 * What an agent does with a connection string: said once, used by three commands, changed, left out, looked at,
 * forgotten. On the newest revision with a handshake, where the connection is the session, and on 2026-07-28, where
 * each request stands alone and names its session.
 */

const ENTRY = 'test/fixtures/session/mcp.mjs';

interface Session {
  /** A call of this session. */
  call(name: string, toolArguments?: Record<string, unknown>): Promise<Result>;
}

interface Result {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: any;
}

let server: RawServer;

describe.each(['2025-11-25', '2026-07-28'])('a session on %s', (revision) => {
  let session: Session;

  beforeAll(async () => {
    server = startServer(ENTRY);
    session = revision === '2025-11-25' ? await onConnection() : await withHandle();
  });

  test('the connection is given once, and three commands use it', async () => {
    const first = await session.call('create', { connection: 'File=/srv/db', template: 'shop' });
    expect(first).toMatchObject({ isError: false, structured: { connection: 'File=/srv/db' } });
    expect(first.text).not.toContain('used from the session');
    for (const name of ['check', 'report', 'import']) {
      const { text, structured } = await session.call(name);
      expect(structured).toMatchObject({ connection: 'File=/srv/db' });
      expect(text).toContain('[values used from the session] connection="File=/srv/db" (set by create)');
    }
  });

  test('a call that gives another value has its own, and so have those after it', async () => {
    expect((await session.call('check', { connection: 'File=/srv/other' })).structured).toEqual({
      connection: 'File=/srv/other',
    });
    const { text, structured } = await session.call('report');
    expect(structured).toEqual({ connection: 'File=/srv/other' });
    expect(text).toContain('connection="File=/srv/other" (set by check)');
  });

  test('nocache neither uses nor remembers', async () => {
    const refused = await session.call('report', { nocache: true });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.text).toContain('Missing parameter "connection"');
    const own = await session.call('report', { nocache: true, connection: 'elsewhere', format: 'json' });
    expect(own.structured).toEqual({ connection: 'elsewhere', format: 'json' });
    expect((await session.call('report')).structured).toEqual({ connection: 'File=/srv/other' });
  });

  test('cache_show tells names, values, who set them and when', async () => {
    const { text, structured } = await session.call('cache_show');
    expect(structured.values).toEqual([
      { name: 'template', value: 'shop', setBy: 'create', setAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      { name: 'connection', value: 'File=/srv/other', setBy: 'check', setAt: expect.any(String) },
    ]);
    expect(Date.now() - Date.parse(structured.values[1].setAt)).toBeLessThan(120_000);
    expect(text).toMatch(/^template="shop" \(create, \S+\)\nconnection="File=\/srv\/other" \(check, \S+\)$/);
  });

  test('a value of a wrong type is refused, and does not take the place of the right one', async () => {
    const { text, isError } = await session.call('check', { connection: { file: 'x' }, jobs: 'many' });
    expect(isError).toBe(true);
    expect(text).toMatch(/"connection" must be a text.*\n.*"jobs" must be an integer; you sent "many"/);
    expect((await session.call('check')).structured).toEqual({ connection: 'File=/srv/other' });
  });

  test('the value of an option of another type is not taken', async () => {
    const { text, isError } = await session.call('measure');
    expect(isError).toBe(true);
    expect(text).toMatch(/Missing parameter "connection" \(which of them\).*the session does not give it/);
  });

  test('a value that this command does not take is refused, with where it comes from', async () => {
    const { text, isError } = await session.call('switch');
    expect(isError).toBe(true);
    expect(text).toBe(
      '"connection" must be one of "near", "far"; it is "File=/srv/other". That is the session\'s value, set by ' +
        'check: send "connection", or set "nocache". Nothing was run.',
    );
  });

  test('cache_clear forgets one name, then all', async () => {
    expect((await session.call('cache_clear', { name: 'connection' })).structured).toEqual({
      cleared: ['connection'],
    });
    expect((await session.call('report')).text).toContain('Missing parameter "connection"');
    expect((await session.call('cache_clear', { name: 'connection' })).text).toBe(
      'Nothing is remembered for "connection". Remembered: template.',
    );
    expect((await session.call('cache_clear')).structured).toEqual({ cleared: ['template'] });
    expect((await session.call('cache_show')).text).toBe('No option values are remembered.');
  });
});

async function onConnection(): Promise<Session> {
  await server.initialize('2025-11-25');
  return { call: async (name, toolArguments = {}) => resultOf(await request(name, toolArguments)) };
}

/** The first call begins the session; each later one names it. */
function withHandle(): Session {
  let handle: string | undefined;
  return {
    async call(name, toolArguments = {}) {
      const session = { session: handle ?? 'new' };
      const result = resultOf(await request(name, { ...toolArguments, ...session }, modernMeta()));
      handle ??= /"session": "(s[0-9a-f]{40})"/.exec(result.text)?.[1];
      expect(handle).toBeDefined();
      return result;
    },
  };
}

function request(name: string, toolArguments: object, _meta?: object): Promise<Message> {
  return server.request('tools/call', { name, arguments: toolArguments, ...(_meta && { _meta }) });
}

function resultOf({ result }: Message): Result {
  const blocks = result?.['content'] as readonly { readonly text: string }[];
  return {
    text: blocks.map(({ text }) => text).join('\n'),
    isError: result?.['isError'] === true,
    structured: result?.['structuredContent'],
  };
}
