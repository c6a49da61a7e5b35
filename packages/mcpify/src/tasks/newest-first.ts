import type { Task } from './task-backend.js';
import { isOfOneMoment } from './task-id.js';

/** More tasks than a system starts in one moment. */
const MOST_OF_MOMENT = 32;

/**
 * Reads the newest of many tasks, newest first. Ids tell the time in tenths of a second only: of the last moment that
 * is reached all are read, and sorted by the time of their start.
 *
 * @param ids newest first, as they sort
 * @param read gives undefined where there is no such task, or not for this caller
 */
export async function readNewest<Id extends { readonly taskId: string }, Read>(
  ids: readonly Id[],
  limit: number,
  read: (id: Id) => Promise<Read | undefined>,
  taskOf: (each: Read) => Task,
): Promise<Read[]> {
  const found: Read[] = [];
  let last: string | undefined;
  for (const id of ids) {
    const isEnough = found.length >= limit;
    if (isEnough && (found.length >= limit + MOST_OF_MOMENT || !isOfOneMoment(id.taskId, last))) break;
    const task = await read(id);
    if (!task) continue;
    found.push(task);
    if (!isEnough) last = id.taskId;
  }
  return found.sort((a, b) => compare(taskOf(b), taskOf(a))).slice(0, limit);
}

/** Those of one millisecond by their ids. */
function compare(first: Task, second: Task): number {
  const byTime = Date.parse(first.createdAt) - Date.parse(second.createdAt);
  return byTime || (first.taskId < second.taskId ? -1 : 1);
}
