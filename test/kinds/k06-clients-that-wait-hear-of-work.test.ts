import { writeFileSync } from 'node:fs';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ENTRY } from '../start/start.js';
import { modernMeta, type Message, type RawServer } from '../wire/connect.js';
import { serverCommand } from '../wire/server-command.js';
import { isRunning, newPath, pidsIn, until, untilThere } from './job-processes.js';
import { call, serve, startOf } from './kind-server.js';

/* K06: work that shows itself keeps a client waiting; nothing is made up, and nothing comes behind the answer. */

let server: RawServer;

beforeAll(async () => {
  server = await serve('jobs.mjs');
});

const progressOf = (token: unknown) =>
  server.messages.filter(
    ({ method, params }) => method === 'notifications/progress' && params?.['progressToken'] === token,
  );

/** Calls with a token; resolves with its answer and with what came for it, in order. */
async function callWith(
  name: string,
  toolArguments: object,
  progressToken?: unknown,
  meta: object = {},
): Promise<{ answer: Message; before: readonly Message[] }> {
  const from = server.messages.length;
  const answer = await server.request('tools/call', {
    name,
    arguments: toolArguments,
    _meta: { ...meta, ...(progressToken !== undefined && { progressToken }) },
  });
  const arrived = server.messages.slice(from);
  return { answer, before: arrived.slice(0, arrived.indexOf(answer)) };
}

const WAYS = ['tick', 'tick_child'] as const;

describe.each([
  ['2025-11-25', {}],
  ['2026-07-28', modernMeta()],
] as const)('%s: a token comes back as it was sent (F033)', (_, meta) => {
  test.each([['text'], [0], [7], ['']])('%j', async (token) => {
    const { before } = await callWith('tick', { times: 2, pause: 30 }, token, meta);
    const found = before.filter(({ method }) => method === 'notifications/progress');
    expect(found.length).toBeGreaterThan(0);
    for (const { params } of found) expect(params?.['progressToken']).toBe(token);
  });

  test('none: silence', async () => {
    const { before } = await callWith('tick', { times: 2, pause: 30 }, undefined, meta);
    expect(before.filter(({ method }) => method === 'notifications/progress')).toEqual([]);
  });
});

test.each(WAYS)('%s: progress rises, and none comes behind the answer (F035)', async (name) => {
  const answers: Message[] = [];
  for (let round = 0; round < (name === 'tick' ? 200 : 5); round += 1) {
    // What a child prints before it ends is in time.
    const options = { times: 1 + (round % 3), after: name === 'tick' };
    answers.push((await callWith(name, options, `${name}-${round}`)).answer);
  }
  // What an action leaves behind has had its turn by now.
  await call(server, 'tick', { times: 1, pause: 50 });
  for (const [round, answer] of answers.entries()) {
    const found = progressOf(`${name}-${round}`);
    const values = found.map(({ params }) => params?.['progress'] as number);
    expect(values.length).toBeGreaterThan(0);
    expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b));
    expect(server.messages.indexOf(found.at(-1)!)).toBeLessThan(server.messages.indexOf(answer));
  }
});

test.each(WAYS)("%s: an action's own steps go on from the lines before them", async (name) => {
  await callWith(name, { times: 4, steps: 2, pause: 60 }, `own-${name}`);
  const own = progressOf(`own-${name}`).flatMap(({ params }) =>
    params?.['total'] === undefined ? [] : [[params['progress'], params['total'], params['message']]],
  );
  expect(own).toEqual([
    [5, 6, 'step 1'],
    [6, 6, 'step 2'],
  ]);
});

test.each(['quiet', 'quiet_child'])(
  '%s: who prints nothing reports nothing: there is no heartbeat (F036)',
  async (name) => {
    const file = newPath();
    const answer = callWith(name, { file }, `silent-${name}`);
    await untilThere(`${file}.started`);
    // Ten lines of another call pass by meanwhile.
    await callWith('tick_child', { times: 10, pause: 30 }, `busy-${name}`);
    writeFileSync(file, '');
    await answer;
    expect(progressOf(`busy-${name}`).length).toBeGreaterThan(3);
    expect(progressOf(`silent-${name}`)).toEqual([]);
  },
);

describe('a client that gives up after a second without progress (F031)', () => {
  const client = new Client({ name: 'impatient', version: '1.0.0' });

  beforeAll(async () => {
    await client.connect(
      new StdioClientTransport({ ...serverCommand(ENTRY, startOf('jobs.mjs')), stderr: 'ignore' }),
    );
    // The first child is slower to start than later ones.
    await client.callTool({ name: 'tick_child', arguments: { times: 1 } });
  });
  afterAll(() => client.close());

  test.each(WAYS)('%s waits as long as lines come', async (name) => {
    const result = await client.callTool(
      { name, arguments: { times: 12, pause: 200 } },
      { timeout: 1_500, resetTimeoutOnProgress: true, onprogress: () => {} },
    );
    expect(JSON.stringify(result.content)).toContain('tick 12');
  });

  test('without them it gives up, and nobody works on', async () => {
    const file = newPath();
    const answer = client.callTool({ name: 'beat_child', arguments: { file } }, { timeout: 1_500 });
    const failure = expect(answer).rejects.toThrow(/timed out/i);
    await untilThere(`${file}.beats`);
    await failure;
    await until(() => pidsIn(file).every((pid) => !isRunning(pid)));
    expect((await client.callTool({ name: 'tick', arguments: { times: 1 } })).content).toEqual([
      { type: 'text', text: 'tick 1\n' },
    ]);
  });
});
