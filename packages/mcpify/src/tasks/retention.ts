import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { EmbeddedSettings } from './embedded-settings.js';
import { openTaskPath, taskFolder, type TaskFolder } from './task-folder.js';
import { isTaskId } from './task-id.js';

export type RetentionLimits = Pick<EmbeddedSettings, 'retentionDays' | 'maxFinished' | 'maxTotalBytes'>;

/** Keeps everything that has ended. */
export const NO_LIMITS: RetentionLimits = {
  retentionDays: Infinity,
  maxFinished: Infinity,
  maxTotalBytes: Infinity,
};

const DAY_MS = 86_400_000;
const TRASH_PREFIX = 'trash-';
/** The records of a task, in round numbers. */
const RECORDS_BYTES = 8_192;

/**
 * Removes finished tasks, the oldest end first: those that ended too long ago, those that are too many, and those that
 * take too much space together with what runs. Never one that runs. Also what servers that were killed have left: halves
 * of removed tasks, and folders that never became a task.
 *
 * One task after the other, so that a large store never stands in the way of calls. Several servers may do it at once.
 *
 * @returns the ids of the removed tasks
 */
export async function removeOldTasks(
  projectPath: string,
  limits: RetentionLimits,
  nowMs: number = Date.now(),
): Promise<string[]> {
  const { finished, runningBytes } = await survey(projectPath, nowMs);
  finished.sort((a, b) => b.endedAtMs - a.endedAtMs);
  const removed: string[] = [];
  let totalBytes = runningBytes;
  for (const [index, { folder, endedAtMs, sizeBytes }] of finished.entries()) {
    totalBytes += sizeBytes;
    const isOld = nowMs - endedAtMs > limits.retentionDays * DAY_MS;
    const isTooMuch = index >= limits.maxFinished || totalBytes > limits.maxTotalBytes;
    if ((isOld || isTooMuch) && (await removeTask(folder))) removed.push(folder.taskId);
  }
  return removed;
}

/**
 * Removes one task with all that is known of it. It is gone in one step for everybody else; what reads it goes on.
 *
 * @returns false where it was gone before, or the system does not let go of it just now
 */
async function removeTask({ projectPath, path, taskId }: TaskFolder): Promise<boolean> {
  const trash = join(projectPath, `${TRASH_PREFIX}${taskId}-${randomBytes(4).toString('hex')}`);
  try {
    await rename(path, trash);
  } catch {
    return false;
  }
  await rm(openTaskPath(projectPath, taskId), { force: true }).catch(() => {});
  await removeTrash(trash);
  return true;
}

interface FinishedTask {
  readonly folder: TaskFolder;
  readonly endedAtMs: number;
  readonly sizeBytes: number;
}

interface Survey {
  readonly finished: FinishedTask[];
  readonly runningBytes: number;
}

async function survey(projectPath: string, nowMs: number): Promise<Survey> {
  const finished: FinishedTask[] = [];
  let runningBytes = 0;
  for (const name of await readdir(projectPath).catch(() => [])) {
    if (name.startsWith(TRASH_PREFIX)) await removeTrash(join(projectPath, name));
    if (!isTaskId(name)) continue;
    const folder = taskFolder(projectPath, name);
    // What cannot be looked at just now stays: "it has ended" would be a guess.
    const seen = await lookAt(folder).catch(() => undefined);
    if (seen?.kind === 'finished') finished.push({ folder, ...seen });
    else if (seen?.kind === 'running') runningBytes += seen.sizeBytes;
    else if (seen && nowMs - seen.touchedAtMs > DAY_MS) await removeTask(folder);
  }
  return { finished, runningBytes };
}

type Look =
  | { readonly kind: 'finished'; readonly endedAtMs: number; readonly sizeBytes: number }
  | { readonly kind: 'running'; readonly sizeBytes: number }
  /** No task yet, or never. */
  | { readonly kind: 'unborn'; readonly touchedAtMs: number };

async function lookAt({ path, meta, exit, log, logPrev }: TaskFolder): Promise<Look | undefined> {
  const [record, end, ...logs] = await Promise.all([meta, exit, log, logPrev].map(statOf));
  const sizeBytes = logs.reduce((sum, file) => sum + (file?.size ?? 0), RECORDS_BYTES);
  if (record)
    return end ? { kind: 'finished', endedAtMs: end.mtimeMs, sizeBytes } : { kind: 'running', sizeBytes };
  const folder = await statOf(path);
  return folder && { kind: 'unborn', touchedAtMs: Math.max(folder.mtimeMs, logs[0]?.mtimeMs ?? 0) };
}

/** @returns undefined where it is not there */
async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** What cannot be removed now, such as a file that Windows holds open, goes the next time. */
async function removeTrash(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => {});
}
