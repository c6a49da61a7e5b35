import { describe, expect, test } from 'vitest';

import { modernMeta } from '../wire/connect.js';
import { start } from './start.js';

/* `serveLoadErrors` (B1.7): the server lives, and every answer is why nothing is there. */

const NO_TOOLS = 'export const app = 1; export { app as program };';

describe.concurrent.each<[what: string, module: string, reason: RegExp]>([
  [
    'a module that throws',
    'throw new Error("no licence\\nin line two")',
    /could not be loaded: Error: no licence$/,
  ],
  ['a usage error', NO_TOOLS, /could not be loaded: .*exports no commander program.*\(PROGRAM_NOT_FOUND\)$/],
])('%s', (_what, module, reason) => {
  test('handshake, then the reason to whatever is asked', async () => {
    const server = start({ module, settings: { serveLoadErrors: true } });
    const { result } = await server.initialize();
    expect(result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'mcpify-workspace' } });
    expect((await server.request('tools/list')).result).toEqual({ tools: [] });
    for (const [method, params] of [
      ['tools/call', { name: 'run', arguments: { code: '' } }],
      ['prompts/list', {}],
      ['resources/read', { uri: 'file:///x' }],
    ] as const) {
      const { error } = await server.request(method, params);
      expect(error, method).toMatchObject({ code: -32603, message: expect.stringMatching(reason) });
      expect(JSON.stringify(error), method).not.toContain('line two');
    }
    expect((await server.request('ping')).result).toEqual({});
    expect(server.stderr).toMatch(/^mcpify: [^\n]+\n$/);
    expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
  });

  test('the same without a handshake', async () => {
    const server = start({ module, settings: { serveLoadErrors: true } });
    const discovered = await server.request('server/discover', { _meta: modernMeta() });
    expect(discovered.result).toMatchObject({ supportedVersions: ['2026-07-28'] });
    const list = await server.request('tools/list', { _meta: modernMeta() });
    expect(list.result).toMatchObject({ tools: [] });
    const called = await server.request('tools/call', { name: 'run', _meta: modernMeta() });
    expect(called.error).toMatchObject({ code: -32603, message: expect.stringMatching(reason) });
    expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
  });
});

test('a setting that is wrong still ends the start: nobody asked to serve that', async () => {
  const server = start({ module: 'throw new Error("no")', settings: { serveLoadErrors: true, name: 5 } });
  expect(await server.exited).toEqual({ exitCode: 1, signal: null });
  expect(server.stderr).toMatch(/Setting "name" must be a text.*\(INVALID_SETTING\)\n$/);
  expect(server.stdoutLines).toEqual([]);
});

test('a program that loads is served as ever', async () => {
  const server = start({ settings: { serveLoadErrors: true } });
  await server.initialize();
  expect((await server.request('tools/list')).result).toMatchObject({
    tools: [{ name: 'run' }, { name: 'cache_show' }, { name: 'cache_clear' }],
  });
});
