import { existsSync } from 'node:fs';
import { basename } from 'node:path';

import { waitUntil } from './output/wait-until.js';
import type { TaskFolder } from './task-folder.js';

/**
 * Waits for the record of a task's end, without looking at its processes.
 *
 * @returns whether it is there
 */
export function untilEnded(folder: TaskFolder, waitMs: number, signal?: AbortSignal): Promise<boolean> {
  return waitUntil(folder.path, () => isEnded(folder), { waitMs, signal, files: [basename(folder.exit)] });
}

export function isEnded(folder: TaskFolder): boolean {
  return existsSync(folder.exit);
}
