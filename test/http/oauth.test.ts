import { beforeAll, expect, test } from 'vitest';

import { answerOf, call, initialize, post, startOwn, type HttpServer } from './http-server.js';

let server: HttpServer;

beforeAll(async () => {
  server = await startOwn('test/fixtures/http/oauth.mjs');
});

const METADATA = 'https://tools.example/.well-known/oauth-protected-resource/mcp';

test('without a token: 401 that names the metadata of the resource', async () => {
  const response = await post(server.url, initialize());
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toContain(`resource_metadata="${METADATA}"`);
});

test('the metadata names resource and authorization server, without a token', async () => {
  const response = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', server.url));
  expect(await response.json()).toMatchObject({
    resource: 'https://tools.example/mcp',
    authorization_servers: ['https://login.example'],
    scopes_supported: ['mcp'],
  });
});

test.each([
  ['unknown', 401],
  ['made for another server', 401, 'stranger'],
  ['made for other servers', 401, 'others'],
  ['expired', 401, 'late'],
  ['without the scope that all need', 403, 'nobody'],
] as const)('a token that is %s: %i', async (_, status, token = 'mallory' as never) => {
  const response = await post(server.url, initialize(), bearer(token));
  expect(response.status).toBe(status);
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
  expect(await response.text()).not.toContain(token);
});

test('a token that is made for several servers is for this one, too', async () => {
  expect((await post(server.url, initialize(), bearer('several'))).status).toBe(200);
});

test('where nobody can be asked about a token that is no fault of its own, and the operator is told', async () => {
  const response = await post(server.url, initialize(), bearer('outage'));
  expect(response.status).toBe(500);
  expect(response.headers.get('www-authenticate')).toBeNull();
  expect(server.stderr()).toContain('mcpify: access tokens cannot be verified: ECONNREFUSED\n');
  expect(server.stderr()).not.toContain('outage');
});

test('an action knows its caller', async () => {
  expect(await answerOf(await post(server.url, call('whoami'), bearer('alice')))).toMatchObject({
    result: { content: [{ text: 'alice\n' }] },
  });
});

test('a tool with a scope is for those who hold it', async () => {
  const refused = await post(server.url, call('erase'), bearer('bob'));
  expect(refused.status).toBe(403);
  expect(refused.headers.get('www-authenticate')).toMatch(/error="insufficient_scope".*scope="mcp admin"/);
  expect(await answerOf(await post(server.url, call('erase'), bearer('alice')))).toMatchObject({
    result: { content: [{ text: 'erased\n' }] },
  });
});

test("another caller's session is an unknown one", async () => {
  const opened = await post(server.url, initialize(), bearer('alice'));
  const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  expect((await post(server.url, call('whoami'), { ...headers, ...bearer('bob') })).status).toBe(404);
  expect((await post(server.url, call('whoami'), { ...headers, ...bearer('alice') })).status).toBe(200);
});

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}
