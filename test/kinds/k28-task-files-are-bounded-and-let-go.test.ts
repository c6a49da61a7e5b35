import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newPath, until, untilThere } from './job-processes.js';
import { call, serve } from './kind-server.js';

/* K28: what tasks write has a limit in size, number and time, and nobody holds it behind its end. */

/** Folders of tasks in the only project of a store. */
function tasksIn(stateDir: string): string[] {
  const project = join(stateDir, readdirSync(stateDir)[0]!);
  return readdirSync(project)
    .filter((name) => /^t[0-9a-z]{32}$/.test(name))
    .map((name) => join(project, name));
}

const bytesOf = (folder: string) =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

test.concurrent(
  'output without an end stays under the cap; what is gone is told, and the end is there (F164)',
  async () => {
    const stateDir = newPath();
    const logCapBytes = 2_000_000;
    const server = await serve('jobs.mjs', { settings: { stateDir, tasks: { logCapBytes } } });
    const { value } = await call(server, 'much_task', { bytes: 30_000_000 });
    const { taskId } = value;
    let most = 0;
    for (let isOver = false; !isOver;) {
      const { status } = (await call(server, 'task_status', { taskId, waitMs: 50 })).value;
      most = Math.max(most, ...tasksIn(stateDir).map(bytesOf));
      isOver = status !== 'running';
    }
    expect(Math.max(...tasksIn(stateDir).map(bytesOf))).toBeLessThan(2 * logCapBytes);
    const { text } = await call(server, 'task_result', { taskId, offsetBytes: 0, maxBytes: 1_000 });
    expect(text).toMatch(/\d{8} bytes before these are not kept any more/);
    const tail = await call(server, 'task_result', { taskId, tailLines: 1 });
    const lines = Number(/line (\d+)/.exec(tail.text)?.[1]);
    expect(lines).toBeGreaterThan(300_000);
    expect(most).toBeGreaterThan(0);
  },
);

test.concurrent('of 12 short tasks the newest stay, those that run are not counted (F166)', async () => {
  const stateDir = newPath();
  const settings = { stateDir, tasks: { maxFinished: 3 } };
  const first = await serve('jobs.mjs', { settings });
  const file = newPath();
  const runs = (await call(first, 'quiet_task', { file })).value.taskId as string;
  await untilThere(`${file}.started`);
  for (let wave = 0; wave < 2; wave += 1) {
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () => (await call(first, 'tick_task', { times: 1 })).value.taskId),
    );
    await Promise.all(ids.map((taskId) => call(first, 'task_status', { taskId, waitMs: 45_000 })));
  }
  const second = await serve('jobs.mjs', { settings });
  await call(second, 'task_status');
  await until(() => tasksIn(stateDir).length === 4);
  expect(tasksIn(stateDir).some((folder) => folder.endsWith(runs))).toBe(true);
  expect((await call(second, 'task_cancel', { taskId: runs })).value).toMatchObject({ status: 'cancelled' });
});

test.concurrent('behind the end nobody has a file of the task open (F169)', async () => {
  const stateDir = newPath();
  const server = await serve('jobs.mjs', { settings: { stateDir } });
  const { value } = await call(server, 'beat_task', { file: newPath() });
  await call(server, 'task_result', { taskId: value.taskId, offsetBytes: 0, waitMs: 45_000 });
  await call(server, 'task_cancel', { taskId: value.taskId });
  await call(server, 'task_result', { taskId: value.taskId });
  await until(() => openIn(stateDir).length === 0);
  expect(existsSync(stateDir)).toBe(true);
});

/** Descriptors of any process that lead into a folder. */
function openIn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => namesIn(`/proc/${pid}/fd`).map((descriptor) => `/proc/${pid}/fd/${descriptor}`))
    .filter((path) => targetOf(path).startsWith(folder));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
