import { writeFileSync } from 'node:fs';

import { beforeAll, describe, expect, test } from 'vitest';

import { modernMeta, type RawServer } from '../wire/connect.js';
import { isRunning, newPath, pidsIn, until, untilThere } from './job-processes.js';
import { call, serve } from './kind-server.js';

/* K07: a cancellation is read while calls run, ends the call that it names and no other, and is answered by silence. */

let server: RawServer;

beforeAll(async () => {
  server = await serve('jobs.mjs');
});

let count = 0;

/** Sends a call under an id of the test's own. */
function send(id: string | number, name: string, toolArguments: object, meta?: object): void {
  const params = { name, arguments: toolArguments, ...(meta && { _meta: meta }) };
  server.send({ jsonrpc: '2.0', id, method: 'tools/call', params });
}

const cancel = (requestId: unknown) => server.notify('notifications/cancelled', { requestId });
const answersTo = (id: unknown) => server.messages.filter((each) => each.id === id && !each.method);

describe.each([
  ['2025-11-25', undefined],
  ['2026-07-28', modernMeta()],
] as const)('%s', (era, meta) => {
  test.each(['quiet', 'quiet_child', 'quiet_task'])(
    'a %s that runs: other requests are answered, it never is (F037)',
    async (name) => {
      const id = `${era}-${name}`;
      const file = newPath();
      send(id, name, { file, ...(name === 'quiet_task' && { background: false }) }, meta);
      await untilThere(`${file}.started`);
      cancel(id);
      expect((await server.request('ping')).result).toBeDefined();
      expect((await server.request('tools/list')).result).toBeDefined();
      const pids = pidsIn(`${file}.started`);
      if (name !== 'quiet') await until(() => !pids.some(isRunning));
      // One that does not look at its signal runs on, but for nobody.
      writeFileSync(file, '');
      await call(server, 'tick', { times: 1 });
      expect(answersTo(id)).toEqual([]);
    },
  );
});

describe('at odd moments there is one answer or none (F039)', () => {
  test('before the call, twice, and of an id that nobody has', async () => {
    for (const id of ['early', 'early', 'nobody', null, 1.5, {}, ['x']]) cancel(id);
    send('early', 'tick', { times: 1 });
    expect((await server.answerTo('early')).result).toMatchObject({ content: [{ text: 'tick 1\n' }] });
  });

  test('a text is no number', async () => {
    const file = newPath();
    send(4_711, 'quiet_child', { file });
    await untilThere(`${file}.started`);
    cancel('4711');
    await server.request('ping');
    writeFileSync(file, '');
    expect((await server.answerTo(4_711)).result).toBeDefined();
  });

  test('twice while it runs, and once more behind it', async () => {
    const file = newPath();
    send('twice', 'quiet_child', { file });
    await untilThere(`${file}.started`);
    for (const id of ['twice', 'twice']) cancel(id);
    await until(() => !pidsIn(`${file}.started`).some(isRunning));
    cancel('twice');
    expect((await call(server, 'tick', { times: 1 })).text).toBe('tick 1\n');
    expect(answersTo('twice')).toEqual([]);
  });

  test.each(['tick', 'tick_child'])(
    'at the moment at which %s ends: the others keep their answers',
    async (name) => {
      const rounds = name === 'tick' ? 100 : 6;
      for (let round = 0; round < rounds; round += 1) {
        const [cancelled, kept] = [`cancelled-${(count += 1)}`, `kept-${(count += 1)}`];
        send(cancelled, name, { times: 1, pause: round % 3 });
        send(kept, name, { times: 2 });
        // Now, a turn later, or when the answer may be on its way.
        if (round % 2 === 1) await server.request('ping');
        cancel(cancelled);
        expect((await server.answerTo(kept)).result).toMatchObject({
          content: [{ text: 'tick 1\ntick 2\n' }],
        });
        expect(answersTo(cancelled).length).toBeLessThan(2);
        expect(answersTo(kept)).toHaveLength(1);
      }
    },
  );
});
