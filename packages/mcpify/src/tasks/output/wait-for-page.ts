import type { OutputQuery } from '../task-backend.js';
import type { TaskFolder } from '../task-folder.js';
import { readTotalBytes, stampOf } from './log-files.js';
import { readPage, type LogPage } from './read-page.js';
import { waitUntil } from './wait-until.js';

/**
 * A page of the output, once there is something to read: behind `offsetBytes`, or, for a tail, behind what there is now.
 * The end of the task ends the wait, too, and so does the time: the page may be empty then.
 *
 * @param isEnded whether the task has ended; asked again and again
 * @param signal ends the wait as the time does
 * @throws what the file system says
 */
export async function waitForPage(
  folder: TaskFolder,
  query: OutputQuery,
  isEnded: () => boolean,
  signal?: AbortSignal,
): Promise<LogPage> {
  const { offsetBytes, tailLines, waitMs = 0 } = query;
  const known = offsetBytes ?? (waitMs > 0 && tailLines !== undefined ? readTotalBytes(folder) : 0);
  // Asked before the log is read: at the end nobody writes any more.
  let ended = isEnded();
  let seen: string | undefined;
  const hasNews = () => {
    ended = isEnded();
    if (ended) return true;
    const now = stampOf(folder);
    if (now === seen) return false;
    seen = now;
    return hasTextBehind(folder, known);
  };
  if (waitMs > 0 && !ended) await waitUntil(folder.path, hasNews, { waitMs, signal });
  return readPage(folder, query, ended);
}

/** Half of a character is none. */
function hasTextBehind(folder: TaskFolder, offsetBytes: number): boolean {
  if (readTotalBytes(folder) <= offsetBytes) return false;
  return readPage(folder, { offsetBytes, maxBytes: 4 }, false).text !== '';
}
