import { writeFileSync } from 'node:fs';

import { beforeAll, describe, expect, test } from 'vitest';

import type { RawServer } from '../wire/connect.js';
import { newPath, untilThere } from './job-processes.js';
import { call, serve } from './kind-server.js';

/* K26: an id is known to whom it was given, a task ends once, and an agent is told how to follow it. */

let server: RawServer;

beforeAll(async () => {
  server = await serve('jobs.mjs');
});

describe('a start', () => {
  test('says first that it is no result, then how to go on (F160)', async () => {
    const file = newPath();
    const { text, value, isError } = await call(server, 'quiet_task', { file });
    expect(isError).toBe(false);
    expect(text.split('\n')[0]).toMatch(/not (?:finished|over|the result|done)|still|background/i);
    for (const name of ['task_status', 'task_result', value.taskId]) expect(text).toContain(name);
    expect(value).toMatchObject({ status: 'running', pollAfterMs: expect.any(Number) });
    await call(server, 'task_cancel', { taskId: value.taskId });
  });

  test('names a time to ask again that does not make an agent poll (F157)', async () => {
    const file = newPath();
    const { value } = await call(server, 'quiet_task', { file });
    const status = await call(server, 'task_status', { taskId: value.taskId });
    expect(status.value.pollAfterMs).toBeGreaterThanOrEqual(1_000);
    expect(status.value.pollAfterMs).toBeLessThan(50_000);
    await call(server, 'task_cancel', { taskId: value.taskId });
  });
});

test('twenty ids have nothing in common that could be counted on (F153)', async () => {
  const own = await serve('jobs.mjs', {
    settings: { stateDir: newPath(), maxConcurrentTasks: 1, tasks: { onServerExit: 'cancel' } },
  });
  const ids = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { value } = await call(own, 'quiet_task', { file: newPath() });
      return value.taskId as string;
    }),
  );
  await own.endInput();
  const random = ids.map((id) => id.slice(-24));
  expect(new Set(random).size).toBe(20);
  // 24 of 32 signs are 120 bits. By chance, hardly a place has one sign in all of them.
  for (let place = 0; place < 24; place += 1) {
    expect(new Set(random.map((id) => id[place])).size).toBeGreaterThan(3);
  }
  for (const id of ids) expect(id).toMatch(/^t[0-9a-z]{32}$/);
});

test.each(['task_status', 'task_result', 'task_cancel'])(
  '%s: an id that was guessed, or is of a wrong form, is unknown and nothing more',
  async (name) => {
    const { value } = await call(server, 'tick_task', { times: 1 });
    const id = value.taskId as string;
    const others = [id.replace(/.$/, (sign) => (sign === '0' ? '1' : '0')), '../../etc/passwd', `${id}/log`];
    const answers = await Promise.all(others.map((taskId) => call(server, name, { taskId })));
    for (const [index, { text, isError }] of answers.entries()) {
      expect(isError).toBe(true);
      expect(text.replaceAll(others[index]!, 'ID')).toMatch(/no such task/i);
      expect(text).not.toContain('/etc/passwd:');
    }
  },
);

describe('whatever happens in one moment, a task ends once (F159)', () => {
  test('the end of the command, and three cancels', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { value } = await call(server, 'tick_task', { times: 1, pause: 40 * round });
      const { taskId } = value;
      await Promise.all(Array.from({ length: 3 }, () => call(server, 'task_cancel', { taskId })));
      const first = (await call(server, 'task_status', { taskId })).value;
      expect(['completed', 'cancelled']).toContain(first.status);
      await call(server, 'task_cancel', { taskId });
      const { elapsedMs, exitCode, status } = (await call(server, 'task_status', { taskId })).value;
      expect({ elapsedMs, exitCode, status }).toEqual({
        elapsedMs: first.elapsedMs,
        exitCode: first.exitCode,
        status: first.status,
      });
    }
  });

  test('a cancel behind the end changes nothing, and says so', async () => {
    const { value } = await call(server, 'tick_task', { times: 1 });
    const { taskId } = value;
    await call(server, 'task_status', { taskId, waitMs: 45_000 });
    const late = await call(server, 'task_cancel', { taskId });
    expect(late.value).toMatchObject({ status: 'completed' });
    expect(late.text).toMatch(/ended|completed|already/i);
  });
});

test('a task survives its server, and ends with its own exit code (F155)', async () => {
  const stateDir = newPath();
  const first = await serve('jobs.mjs', { settings: { stateDir } });
  const file = newPath();
  const { value } = await call(first, 'quiet_task', { file });
  await untilThere(`${file}.started`);
  await first.close();
  const second = await serve('jobs.mjs', { settings: { stateDir } });
  expect((await call(second, 'task_status', { taskId: value.taskId })).value.status).toBe('running');
  const waiting = call(second, 'task_status', { taskId: value.taskId, waitMs: 45_000 });
  writeFileSync(file, '');
  expect((await waiting).value).toMatchObject({ status: 'completed', exitCode: 0 });
});
