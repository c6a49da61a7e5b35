import { expect, test } from 'vitest';

import { readNewest } from '../../../packages/mcpify/src/tasks/newest-first.js';
import type { Task } from '../../../packages/mcpify/src/tasks/task-backend.js';
import { newTaskId } from '../../../packages/mcpify/src/tasks/task-id.js';

const NOW_MS = Date.parse('2026-12-02T12:00:00.000Z');

function taskAt(ms: number): Task {
  return { taskId: newTaskId(ms), createdAt: new Date(ms).toISOString() } as Task;
}

/** Newest first by their ids, of which the random part may say the opposite. */
function byIds(tasks: readonly Task[]): readonly Task[] {
  return [...tasks].sort((a, b) => (a.taskId < b.taskId ? 1 : -1));
}

test('of tasks of one moment the one that was started last is the newest', async () => {
  const tasks = Array.from({ length: 30 }, (_, index) => taskAt(NOW_MS + index));
  const read = (task: Task) => Promise.resolve(task);
  for (let limit = 1; limit <= 30; limit += 1) {
    const newest = await readNewest(byIds(tasks), limit, read, (task) => task);
    expect(newest).toEqual(tasks.toReversed().slice(0, limit));
  }
});

test('no more is read than the moment of the last one', async () => {
  const tasks = Array.from({ length: 10_000 }, (_, index) => taskAt(NOW_MS + index * 50));
  let reads = 0;
  const read = (task: Task) => {
    reads += 1;
    return Promise.resolve(task);
  };
  expect(await readNewest(byIds(tasks), 3, read, (task) => task)).toEqual(tasks.toReversed().slice(0, 3));
  expect(reads).toBe(4);
});

test('those that cannot be read are passed over', async () => {
  const tasks = Array.from({ length: 10 }, (_, index) => taskAt(NOW_MS + index * 50));
  const read = (task: Task) => Promise.resolve(tasks.indexOf(task) > 5 ? undefined : task);
  const newest = await readNewest(byIds(tasks), 2, read, (task) => task);
  expect(newest).toEqual([tasks[5], tasks[4]]);
});
