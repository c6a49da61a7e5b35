import { beforeAll, describe, expect, test } from 'vitest';

import { start } from '../start/start.js';
import { modernMeta, type RawServer } from '../wire/connect.js';
import { list, serve } from './kind-server.js';

/* K30: the list has an order that its author made, every hint is written out, and a client hears the levels it asked for. */

const SEVENTY = `
  const marks = [[], [markers.McpReadOnly], [markers.McpDestructive], [markers.McpIdempotent], [markers.McpOpenWorld],
    [markers.McpAdditive], [markers.McpLongRunning]];
  for (let index = 0; index < 70; index += 1) {
    const command = program.command('z' + ((index * 37) % 70)).option('--text <text>').action(() => {});
    markers.exposeAsTool(command, ...(marks[index] ?? []));
  }
  export { program };`;

test('70 commands: in the order of their declaration, built-in tools last, and a warning with the number (F175)', async () => {
  const servers = await Promise.all(
    [1, 2].map(async () => {
      const server = start({ module: SEVENTY, settings: { cliEntry: process.argv[1] } });
      await server.initialize();
      return server;
    }),
  );
  const [first, second] = await Promise.all(servers.map(list));
  const declared = Array.from({ length: 70 }, (_, index) => `z${(index * 37) % 70}`);
  const names = [...first!.keys()];
  expect(names.filter((name) => name.startsWith('z'))).toEqual(declared);
  expect(names.slice(-5).toSorted()).toEqual([
    'cache_clear',
    'cache_show',
    'task_cancel',
    'task_result',
    'task_status',
  ]);
  expect([...second!.keys()]).toEqual(names);
  await servers[0]!.request('tools/call', { name: 'z0', arguments: { text: 'x' } });
  expect([...(await list(servers[0]!)).keys()]).toEqual(names);
  expect(servers[0]!.stderr).toMatch(/warning: 76 tools/);
});

test('every tool has all four hints, those of ours too (F177)', async () => {
  const server = start({ module: SEVENTY, settings: { cliEntry: process.argv[1] } });
  await server.initialize();
  const hints = [...(await list(server))].map(([name, { annotations }]) => [
    name,
    annotations.readOnlyHint,
    annotations.destructiveHint,
    annotations.idempotentHint,
    annotations.openWorldHint,
  ]);
  for (const hint of hints) expect(hint.slice(1).every((each) => typeof each === 'boolean')).toBe(true);
  // Behind the tool of the program itself.
  expect(hints.slice(1, 7).map((hint) => hint.slice(1))).toEqual([
    [false, true, false, false],
    [true, false, false, false],
    [false, true, false, false],
    [false, true, true, false],
    [false, true, false, true],
    [false, false, false, false],
  ]);
  expect(hints.slice(-5)).toEqual(
    expect.arrayContaining([
      ['task_status', true, false, false, false],
      ['task_result', true, false, false, false],
      ['task_cancel', false, true, true, false],
      ['cache_show', true, false, false, false],
      ['cache_clear', false, false, true, false],
    ]),
  );
});

test('marks that contradict each other end the start, with the command (F177)', async () => {
  const server = start({
    module: `markers.exposeAsTool(program.command('both').action(() => {}), markers.McpReadOnly, markers.McpDestructive);
      export { program };`,
  });
  expect(await server.exited).toMatchObject({ exitCode: 1 });
  expect(server.stderr).toMatch(/both.*CONTRADICTORY_MARKS/);
});

describe('levels (F179)', () => {
  let server: RawServer;
  const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

  beforeAll(async () => {
    server = await serve('jobs.mjs');
  });

  /** Levels of the messages that come with one call which prints a line. */
  async function levelsOf(meta?: object): Promise<readonly string[]> {
    const from = server.messages.length;
    await server.request('tools/call', {
      name: 'tick',
      arguments: { times: 1 },
      ...(meta && { _meta: meta }),
    });
    return server.messages
      .slice(from)
      .flatMap(({ method, params }) => (method === 'notifications/message' ? [params?.['level']] : []));
  }

  test('none is asked for: no lines of an ordinary command', async () => {
    expect(await levelsOf()).toEqual([]);
  });

  test.each(LEVELS)('%s is taken, and holds', async (level) => {
    expect((await server.request('logging/setLevel', { level })).result).toEqual({});
    expect(await levelsOf()).toEqual(level === 'debug' || level === 'info' ? ['info'] : []);
  });

  test.each(['verbose', 3, null, undefined])('%j is no level', async (level) => {
    expect((await server.request('logging/setLevel', { level })).error?.code).toBe(-32_602);
  });

  test('2026-07-28: none unless the request asks, whatever others have asked', async () => {
    await server.request('logging/setLevel', { level: 'debug' });
    expect(await levelsOf(modernMeta())).toEqual([]);
    expect(await levelsOf(modernMeta({ 'io.modelcontextprotocol/logLevel': 'info' }))).toEqual(['info']);
    expect(await levelsOf(modernMeta({ 'io.modelcontextprotocol/logLevel': 'error' }))).toEqual([]);
  });
});
