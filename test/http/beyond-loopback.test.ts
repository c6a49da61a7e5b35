import { describe, expect, test } from 'vitest';

import { startServer } from '../wire/connect.js';
import { answerOf, call, initialize, post, startHttp } from './http-server.js';

/* Where other machines can reach the server, nothing answers without a token (protocol.md, section 8). */

const ENTRY = 'test/fixtures/http/settings.mjs';
const TOKEN = 'correct-horse-battery';
const settings = (http: object) => ({ HTTP: JSON.stringify(http) });

describe('a server that would be open does not start', () => {
  const OPEN = /http\.host: ".*" can be reached from other machines: demand a token/;

  test.each([
    '0.0.0.0',
    '::',
    '0',
    '192.0.2.1',
    'tools.example',
    '127.0.0.1.nip.io',
    'localhost.example',
    '',
  ])('on %j without a token', async (host) => {
    const server = startServer(ENTRY, { args: ['--http'], env: settings({ host, allowedHosts: ['a'] }) });
    expect(await server.exited).toEqual({ exitCode: 1, signal: null });
    expect(server.stderr).toMatch(OPEN);
    expect(server.stdoutLines).toEqual([]);
  });

  test.each([undefined, '', 'fifteen letters'])('with the token %j', async (token) => {
    const env = { ...settings({ host: '0.0.0.0', allowedHosts: ['a'], tokenEnv: 'TILL' }), TILL: token };
    const server = startServer(ENTRY, { args: ['--http'], env });
    expect((await server.exited).exitCode).toBe(1);
    expect(server.stderr).toContain('TILL must hold a token of at least 16 characters');
    if (token) expect(server.stderr).not.toContain(token);
  });

  test('on every address, without the names of its clients', async () => {
    const env = { ...settings({ host: '0.0.0.0', tokenEnv: 'TILL' }), TILL: TOKEN };
    const server = startServer(ENTRY, { args: ['--http'], env });
    expect((await server.exited).exitCode).toBe(1);
    expect(server.stderr).toContain('http.allowedHosts: must name the hosts that clients use');
  });

  test('by an argument, which counts more than the settings', async () => {
    const args = ['--http', '--host', '0.0.0.0'];
    const server = startServer(ENTRY, { args, env: settings({ host: '127.0.0.1' }) });
    expect((await server.exited).exitCode).toBe(1);
    expect(server.stderr).toMatch(OPEN);
  });
});

test('on every address: nothing but the health without the token, whatever the method', async () => {
  const env = {
    ...settings({ host: '0.0.0.0', allowedHosts: ['tools.example'], tokenEnv: 'TILL' }),
    TILL: TOKEN,
  };
  const { url } = await startHttp(ENTRY, { env });
  const mcp = url.replace('0.0.0.0', '127.0.0.1');
  const authorization = `Bearer ${TOKEN}`;
  const without: Record<string, string>[] = [
    {},
    { authorization: 'Bearer wrong-horse-battery' },
    { 'mcp-session-id': 'x' },
  ];
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
    for (const headers of without) {
      const response = await fetch(mcp, { method, headers });
      expect([method, response.status]).toEqual([method, 401]);
      expect(await response.text()).not.toContain('echo');
    }
  }
  for (const path of ['/', '/mcp/', '/MCP', '/mcp/../mcp2', '/.well-known/oauth-protected-resource']) {
    const response = await fetch(new URL(path, mcp), { headers: { authorization } });
    expect([path, response.status]).toEqual([path, 404]);
  }
  expect(await (await fetch(new URL('/healthz', mcp))).text()).toBe('{"status":"ok"}');
  // A session that somebody else opened lets nobody in.
  const opened = await post(mcp, initialize(), { authorization });
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  expect((await post(mcp, call('echo', { text: 'a' }), session)).status).toBe(401);
  const answer = await answerOf(await post(mcp, call('echo', { text: 'a' }), { ...session, authorization }));
  expect(answer.result).toMatchObject({ content: [{ text: 'a\n' }] });
  // Bound to every address, it still answers to its names alone.
  const foreign = await post(url, initialize(), { authorization });
  expect(foreign.status).toBe(403);
});
