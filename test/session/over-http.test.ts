import { beforeAll, describe, expect, test } from 'vitest';

import {
  answerOf,
  call,
  initialize,
  post,
  startHttp,
  startOwn,
  type HttpServer,
} from '../http/http-server.js';
import { connect, modernMeta, textOf } from '../wire/connect.js';

/* Two clients of one server never share what one of them said (B7.4, K33). */

let server: HttpServer;

beforeAll(async () => {
  server = await startHttp('test/fixtures/session/mcp.mjs');
});

type Call = (name: string, toolArguments?: object) => Promise<any>;

/** A client of a revision with a handshake, and its session. */
async function open(url = server.url, headers: Record<string, string> = {}): Promise<Call> {
  const opened = await post(url, initialize(), headers);
  const session = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  let id = 1;
  return async (name, toolArguments) =>
    (await answerOf(await post(url, call(name, toolArguments, (id += 1)), session))).result;
}

/** A client of 2026-07-28: each request stands alone. */
function modern(url = server.url, headers: Record<string, string> = {}): Call {
  const own = { ...headers, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
  return async (name, toolArguments = {}) => {
    const message = { ...call(name), params: { name, arguments: toolArguments, _meta: modernMeta() } };
    return (await answerOf(await post(url, message, { ...own, 'mcp-name': name }))).result;
  };
}

const handleIn = (result: any): string => /"session": "(\w+)"/.exec(textOf(result))![1]!;

test('two sessions at once, each with its own value', async () => {
  const [ada, ben] = [await open(), await open()];
  await Promise.all([ada('create', { connection: 'of Ada' }), ben('create', { connection: 'of Ben' })]);
  const names = ['check', 'report', 'create', 'import'];
  for (const results of [await Promise.all(names.map((name) => ada(name)))]) {
    for (const { structuredContent } of results) expect(structuredContent).toEqual({ connection: 'of Ada' });
  }
  expect((await ben('report')).structuredContent).toEqual({ connection: 'of Ben' });
  await ben('cache_clear');
  expect(textOf(await ben('report'))).toContain('Missing parameter "connection"');
  expect((await ada('report')).structuredContent).toEqual({ connection: 'of Ada' });
});

test('a new session knows nothing of an earlier one, nor does a request without session', async () => {
  await (
    await open()
  )('create', { connection: 'a' });
  expect(textOf(await (await open())('report'))).toContain('Missing parameter "connection"');
  expect(textOf((await answerOf(await post(server.url, call('report')))).result)).toContain(
    'Missing parameter',
  );
});

test('requests of 2026-07-28 share what they name, and nothing else', async () => {
  const request = modern();
  await request('create', { connection: 'a' });
  expect(textOf(await request('report'))).toContain('Missing parameter "connection"');
  const session = handleIn(await request('create', { session: 'new', connection: 'b' }));
  const other = handleIn(await request('create', { session: 'new', connection: 'c' }));
  expect((await request('report', { session })).structuredContent).toEqual({ connection: 'b' });
  expect((await request('report', { session: other })).structuredContent).toEqual({ connection: 'c' });
});

describe('with callers that are known', () => {
  const as = (name: string) => ({ authorization: `Bearer ${name}` });
  let url: string;

  beforeAll(async () => {
    ({ url } = await startOwn('test/fixtures/session/oauth.mjs'));
  });

  test("somebody else's handle is an unknown one", async () => {
    const [alice, bob] = [modern(url, as('alice')), modern(url, as('bob'))];
    const session = handleIn(await alice('create', { session: 'new', connection: 'a' }));
    const refused = await bob('report', { session });
    expect(refused).toMatchObject({ isError: true });
    expect(textOf(refused)).toBe(textOf(await bob('report', { session: `s${'0'.repeat(40)}` })));
    expect(textOf(await bob('cache_show', { session }))).toContain('no such session');
    expect((await alice('report', { session })).structuredContent).toEqual({ connection: 'a' });
  });

  test('a handle leads from a session of an older revision to one of the same caller', async () => {
    const alice = await open(url, as('alice'));
    const session = handleIn(await alice('create', { session: 'new', connection: 'a' }));
    expect((await modern(url, as('alice'))('report', { session })).structuredContent).toEqual({
      connection: 'a',
    });
    expect(textOf(await alice('report'))).toContain('Missing parameter "connection"');
  });
});

test.each(['v1', 'v2 legacy', 'v2 2026-07-28'] as const)(
  'on stdio one process is one client: %s',
  async (kind) => {
    const client = await connect(kind, 'test/fixtures/session/mcp.mjs');
    const first = await client.callTool('create', { connection: 'a', session: 'new' });
    const session = handleIn(first);
    expect((await client.callTool('report', { session })).structuredContent).toEqual({ connection: 'a' });
    await client.callTool('create', { connection: 'b' });
    const { structuredContent } = await client.callTool('report');
    expect(structuredContent).toEqual(kind === 'v2 2026-07-28' ? undefined : { connection: 'b' });
  },
);
