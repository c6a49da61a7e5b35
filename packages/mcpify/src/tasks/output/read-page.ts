import type { OutputPage, OutputQuery } from '../task-backend.js';
import { startOfTail } from './find-tail.js';
import { withLog, type LogFiles, type OpenLog } from './log-files.js';
import { firstCharacterLength, incompleteBytesAtEnd, remainderOfCharacter } from './utf8-borders.js';

export type LogPage = Omit<OutputPage, 'task'>;
export type PageQuery = Pick<OutputQuery, 'offsetBytes' | 'maxBytes' | 'tailLines'>;

/**
 * A page of the raw output, in whole characters: the pages that follow one another give the text of the whole log,
 * whatever their size and whatever bytes are in it. Costs the same for a small log and a large one.
 *
 * - From `offsetBytes` on; inside of a character: from the next one on. Behind the end: an empty page at the end.
 * - Else the last `tailLines` lines, of them what fits: from the beginning of a line where there is one.
 * - Else from the beginning.
 *
 * @param query `maxBytes` is passed by 3 at most, where not even one character fits
 * @param isEnded a character that is broken off at the end of the log will never become whole
 * @throws what the file system says; a log that is not there is an empty one
 */
export function readPage(files: LogFiles, query: PageQuery, isEnded: boolean): LogPage {
  return withLog(files, (log) => {
    const { offsetBytes, tailLines, maxBytes } = query;
    if (offsetBytes === undefined && tailLines !== undefined) {
      const start = startOfTail(log, { lines: tailLines, maxBytes });
      return pageFrom(log, start, { maxBytes, isEnded });
    }
    const wanted = Math.min(offsetBytes ?? 0, log.totalBytes);
    const start = Math.max(wanted, log.keptStart);
    return { ...pageFrom(log, start, { maxBytes, isEnded }), truncatedBytes: start - wanted };
  });
}

function pageFrom(log: OpenLog, start: number, limits: { maxBytes: number; isEnded: boolean }): LogPage {
  const before = log.read(Math.max(log.keptStart, start - 3), start);
  // Four more: where the page begins inside of a character, and where not even one character fits.
  const bytes = log.read(start, Math.min(start + limits.maxBytes + 4, log.totalBytes));
  const skipped = remainderOfCharacter(before, bytes);
  const available = bytes.subarray(skipped);
  const isAtEnd = start + skipped + available.length === log.totalBytes;
  const length = wholeCharacters(available, limits.maxBytes, isAtEnd && limits.isEnded);
  const offsetBytes = start + skipped;
  return {
    text: available.toString('utf8', 0, length),
    offsetBytes,
    nextOffsetBytes: offsetBytes + length,
    totalBytes: log.totalBytes,
    truncatedBytes: 0,
  };
}

/** How many bytes make whole characters: at least one of them, where there is one. */
function wholeCharacters(bytes: Buffer, maxBytes: number, isLast: boolean): number {
  const fitting = bytes.subarray(0, maxBytes);
  if (isLast && fitting.length === bytes.length) return bytes.length;
  const length = fitting.length - incompleteBytesAtEnd(fitting);
  if (length > 0) return length;
  const first = firstCharacterLength(bytes);
  return first === 0 && isLast ? bytes.length : first;
}
