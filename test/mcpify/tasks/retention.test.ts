import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { scheduleRetention } from '../../../packages/mcpify/src/tasks/retention-schedule.js';
import { removeOldTasks } from '../../../packages/mcpify/src/tasks/retention.js';
import { openTaskPath, taskFolder } from '../../../packages/mcpify/src/tasks/task-folder.js';
import { newTaskId } from '../../../packages/mcpify/src/tasks/task-id.js';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
const LIMITS = { retentionDays: 7, maxFinished: 500, maxTotalBytes: 1_000_000_000 };

let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'mcpify-retention-'));
  mkdirSync(join(project, 'open'));
});

afterEach(() => rmSync(project, { recursive: true }));

interface Kind {
  /** Undefined: it runs. */
  readonly endedDaysAgo?: number;
  readonly startedDaysAgo?: number;
  readonly logBytes?: number;
  readonly prevBytes?: number;
  readonly hasMeta?: boolean;
}

function addTask({ endedDaysAgo, startedDaysAgo, logBytes = 0, prevBytes, hasMeta = true }: Kind): string {
  const taskId = newTaskId(NOW_MS - (startedDaysAgo ?? endedDaysAgo ?? 0) * DAY_MS);
  const folder = taskFolder(project, taskId);
  mkdirSync(folder.path);
  writeFileSync(openTaskPath(project, taskId), '');
  writeFileSync(folder.log, 'x'.repeat(logBytes));
  if (prevBytes !== undefined) writeFileSync(folder.logPrev, 'x'.repeat(prevBytes));
  if (hasMeta) writeFileSync(folder.meta, '{}');
  if (endedDaysAgo !== undefined) {
    writeFileSync(folder.exit, '{}');
    setTime(folder.exit, endedDaysAgo);
  }
  for (const path of [folder.log, folder.path]) setTime(path, startedDaysAgo ?? endedDaysAgo ?? 0);
  return taskId;
}

function setTime(path: string, daysAgo: number): void {
  const time = new Date(NOW_MS - daysAgo * DAY_MS);
  utimesSync(path, time, time);
}

function stored(): string[] {
  return readdirSync(project)
    .filter((name) => name !== 'open')
    .sort();
}

describe('what is removed', () => {
  test('tasks that ended too long ago, whenever they began', async () => {
    const old = addTask({ endedDaysAgo: 7.1 });
    const young = addTask({ startedDaysAgo: 30, endedDaysAgo: 6.9 });
    expect(await removeOldTasks(project, LIMITS, NOW_MS)).toEqual([old]);
    expect(stored()).toEqual([young]);
    expect(existsSync(openTaskPath(project, old))).toBe(false);
  });

  test('those that are too many: the oldest ends', async () => {
    const ids = [3, 1, 5, 2, 4].map((endedDaysAgo) => addTask({ endedDaysAgo, startedDaysAgo: 6 }));
    await removeOldTasks(project, { ...LIMITS, maxFinished: 2 }, NOW_MS);
    expect(stored()).toEqual([ids[1], ids[3]].sort());
  });

  test('those that take too much space, with what runs and what was cut from logs', async () => {
    addTask({ logBytes: 40_000 });
    const newest = addTask({ endedDaysAgo: 1, logBytes: 10_000, prevBytes: 20_000 });
    addTask({ endedDaysAgo: 2, logBytes: 60_000 });
    addTask({ endedDaysAgo: 3, logBytes: 10 });
    await removeOldTasks(project, { ...LIMITS, maxTotalBytes: 120_000 }, NOW_MS);
    expect(stored()).toHaveLength(2);
    expect(stored()).toContain(newest);
  });

  test('never a task that runs, however old, large and many', async () => {
    for (let count = 0; count < 5; count += 1) addTask({ startedDaysAgo: 400, logBytes: 9_000 });
    const limits = { retentionDays: 0, maxFinished: 0, maxTotalBytes: 0 };
    expect(await removeOldTasks(project, limits, NOW_MS)).toEqual([]);
    expect(stored()).toHaveLength(5);
  });

  test('what never became a task, after a day; what is half removed, at once', async () => {
    addTask({ startedDaysAgo: 1.1, hasMeta: false });
    const young = addTask({ startedDaysAgo: 0.9, hasMeta: false });
    // Of a call that prints for longer than a day.
    const busy = addTask({ startedDaysAgo: 3, hasMeta: false });
    setTime(taskFolder(project, busy).log, 0.1);
    mkdirSync(join(project, 'trash-x'));
    writeFileSync(join(project, 'trash-x', 'log'), '');
    await removeOldTasks(project, LIMITS, NOW_MS);
    expect(stored()).toEqual([young, busy].sort());
  });

  test('nothing that is not a task: other files in the folder stay', async () => {
    mkdirSync(join(project, 'notes'));
    for (const name of ['meta.json', 'exit.json']) writeFileSync(join(project, 'notes', name), '');
    await removeOldTasks(project, { ...LIMITS, maxFinished: 0 }, NOW_MS);
    expect(stored()).toEqual(['notes']);
    expect(existsSync(join(project, 'open'))).toBe(true);
  });
});

test('a store that is not there yet is no mistake', async () => {
  expect(await removeOldTasks(join(project, 'none'), LIMITS)).toEqual([]);
});

test('several at once remove each task once', async () => {
  const ids = Array.from({ length: 40 }, () => addTask({ endedDaysAgo: 9 }));
  const rounds = await Promise.all([1, 2, 3].map(() => removeOldTasks(project, LIMITS, NOW_MS)));
  expect(rounds.flat().sort()).toEqual(ids.sort());
  expect(stored()).toEqual([]);
});

test('a server removes them some seconds after its start, and again and again until it ends', async () => {
  vi.useFakeTimers({ now: NOW_MS });
  try {
    const retention = scheduleRetention(project, LIMITS);
    addTask({ endedDaysAgo: 9 });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(stored()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitFor(() => expect(stored()).toEqual([]));
    addTask({ endedDaysAgo: 9 });
    await vi.advanceTimersByTimeAsync(600_000);
    await vi.waitFor(() => expect(stored()).toEqual([]));
    retention.stop();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
