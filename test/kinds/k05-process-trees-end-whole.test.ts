import { existsSync, statSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import type { RawServer } from '../wire/connect.js';
import { isRunning, newPath, pidsIn, until, untilThere } from './job-processes.js';
import { call, serve } from './kind-server.js';

/* K05: what a command started ends with it, wrappers and shells in between or not; nobody who is polite is hurried. */

/** The worker behind wrapper and shell does not beat any more. */
async function expectSilence(file: string): Promise<void> {
  await until(() => pidsIn(file).every((pid) => !isRunning(pid)));
  const { size } = statSync(`${file}.beats`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(statSync(`${file}.beats`).size).toBe(size);
  // The command and its worker have told their numbers.
  expect(pidsIn(file)).toHaveLength(2);
}

describe.concurrent('wrapper, shell and worker (F025)', () => {
  test('of a task that is cancelled', async () => {
    const server = await serve('jobs.mjs');
    const file = newPath();
    const { value } = await call(server, 'beat_task', { file });
    await untilThere(`${file}.beats`);
    expect((await call(server, 'task_cancel', { taskId: value.taskId })).value).toMatchObject({
      status: 'cancelled',
    });
    expect(pidsIn(file).filter(isRunning)).toEqual([]);
    await expectSilence(file);
  });

  test('of a task whose deadline passes', async () => {
    const server = await serve('jobs.mjs');
    const file = newPath();
    const { value } = await call(server, 'beat_limited', { file });
    const status = await call(server, 'task_status', { taskId: value.taskId, waitMs: 45_000 });
    expect(status.value).toMatchObject({ status: 'timeout' });
    await expectSilence(file);
  });

  test('of a call that is cancelled', async () => {
    const server = await serve('jobs.mjs');
    const file = newPath();
    start(server, 'beat_child', { file });
    await untilThere(`${file}.beats`);
    server.notify('notifications/cancelled', { requestId: 'runs' });
    await expectSilence(file);
  });

  test('of a task that somebody waits for', async () => {
    const server = await serve('jobs.mjs');
    const file = newPath();
    start(server, 'beat_task', { file, background: false });
    await untilThere(`${file}.beats`);
    server.notify('notifications/cancelled', { requestId: 'runs' });
    await expectSilence(file);
  });
});

test('one that cleans up has the time for it, and a port is free for the next (F030)', async () => {
  const server = await serve('jobs.mjs');
  const [polite, stubborn] = [newPath(), newPath()];
  const first = await listen(server, { file: polite, polite: true });
  await call(server, 'task_cancel', { taskId: first.taskId });
  expect(existsSync(`${polite}.clean`)).toBe(true);

  const second = await listen(server, { file: stubborn, port: first.port });
  const ended = await call(server, 'task_cancel', { taskId: second.taskId });
  expect(ended.value).toMatchObject({ status: 'cancelled' });
  expect(existsSync(`${stubborn}.clean`)).toBe(false);

  const third = await listen(server, { file: newPath(), polite: true, port: first.port });
  expect(third.port).toBe(first.port);
  await call(server, 'task_cancel', { taskId: third.taskId });
});

function start(server: RawServer, name: string, toolArguments: object): void {
  const params = { name, arguments: toolArguments };
  server.send({ jsonrpc: '2.0', id: 'runs', method: 'tools/call', params });
}

/** Starts a task that listens; resolves once it does. */
async function listen(server: RawServer, options: object): Promise<{ taskId: string; port: number }> {
  const { value } = await call(server, 'listen', options);
  const { taskId } = value as { taskId: string };
  const page = await call(server, 'task_result', { taskId, offsetBytes: 0, waitMs: 20_000 });
  const port = /listening on (\d+)/.exec(page.text)?.[1];
  if (port === undefined) throw new Error(page.text);
  return { taskId, port: Number(port) };
}
