import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';

import type { TaskFolder } from '../task-folder.js';

/**
 * The log of a task on disk. Offsets are those of the raw output as it was written, from the first byte on, whatever
 * of it is still kept.
 *
 * A cut leaves `log` empty and the end of what was in it in `logPrev`. Two renames make it one step for whoever looks:
 * `logPrev` says in its first line which bytes it holds and how many a cut takes from `log`; `logBase` follows when the
 * cut is done. While `logBase` is behind `logPrev`, the size of `log`, whose writers stand still, says which half of the
 * cut is done.
 */
export type LogFiles = Pick<TaskFolder, 'log' | 'logPrev' | 'logBase'>;

/** Which bytes of the output `logPrev` holds, and how many of those before `end` the cut took from `log`. */
export interface CutMark {
  readonly start: number;
  readonly end: number;
  readonly cutBytes: number;
}

const NUMBER_WIDTH = 16;
/** Three numbers of a fixed width, two spaces between them, a line feed behind them. */
export const MARK_BYTES = 3 * NUMBER_WIDTH + 3;

export function formatMark({ start, end, cutBytes }: CutMark): string {
  return `${[start, end, cutBytes].map((number) => String(number).padStart(NUMBER_WIDTH)).join(' ')}\n`;
}

/** Where the bytes of the output are at one moment. */
export interface LogLayout {
  readonly mark: CutMark | undefined;
  /** A cut has begun and is not over: `logBase` is behind. */
  readonly isCutting: boolean;
  /** The offset of the first byte in `log`. */
  readonly logStart: number;
  /** The first offset that is kept. */
  readonly keptStart: number;
  /** Size of the whole output. */
  readonly totalBytes: number;
}

/** @param prevFd undefined where there is no `logPrev` */
export function readLayout(files: LogFiles, logSizeBytes: number, prevFd: number | undefined): LogLayout {
  const base = readBase(files);
  const mark = prevFd === undefined ? undefined : readMark(prevFd);
  const logStart = mark && isCutDone(base, mark, logSizeBytes) ? mark.end : base;
  const prevJoins = mark !== undefined && mark.start < logStart && mark.end >= logStart;
  return {
    mark,
    isCutting: mark !== undefined && base !== mark.end,
    logStart,
    keptStart: prevJoins ? mark.start : logStart,
    totalBytes: logStart + logSizeBytes,
  };
}

/** The bytes that `log` lost in the cut are gone from it: all of them stand still until then. */
function isCutDone(base: number, { end, cutBytes }: CutMark, logSizeBytes: number): boolean {
  return base === end || (base === end - cutBytes && logSizeBytes < cutBytes);
}

function readBase({ logBase }: LogFiles): number {
  try {
    const base = Number(readFileSync(logBase, 'latin1'));
    return Number.isSafeInteger(base) ? base : 0;
  } catch (error) {
    return ifMissing(error, 0);
  }
}

function readMark(prevFd: number): CutMark | undefined {
  const line = Buffer.alloc(MARK_BYTES);
  readSync(prevFd, line, 0, MARK_BYTES, 0);
  const numbers = line.toString('latin1').trim().split(/ +/).map(Number);
  const [start = NaN, end = NaN, cutBytes = NaN] = numbers;
  return [start, end, cutBytes].every(Number.isSafeInteger) ? { start, end, cutBytes } : undefined;
}

/** Size of the whole output so far: 0 where there is none. */
export function readTotalBytes(files: LogFiles): number {
  return withLog(files, ({ totalBytes }) => totalBytes);
}

/** A log that is open for reading, as it was at one moment. */
export interface OpenLog extends LogLayout {
  /** The bytes from `start` to `end`, both between `keptStart` and `totalBytes`. */
  read(start: number, end: number): Buffer;
}

/** More cuts than this in the time of one look: something is wrong with the disk or the files. */
const MOST_LOOKS = 1_000;

/**
 * Reads a log by a function, and again where a cut came between.
 *
 * @throws what the file system says; a log that is not there is an empty one
 */
export function withLog<Result>(files: LogFiles, read: (log: OpenLog) => Result): Result {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const fds = { log: openIfThere(files.log), prev: openIfThere(files.logPrev) };
    try {
      const size = fds.log === undefined ? 0 : fstatSync(fds.log).size;
      const layout = readLayout(files, size, fds.prev);
      const log = new LogReader(layout, fds.log, fds.prev);
      const result = read(log);
      if (!log.isShort && isUnchanged(files, layout, fds.prev)) return result;
    } finally {
      for (const fd of Object.values(fds)) if (fd !== undefined) closeSync(fd);
    }
  }
  throw new Error(`The log ${files.log} changes faster than it can be read.`);
}

class LogReader implements OpenLog {
  readonly mark: CutMark | undefined;
  readonly isCutting: boolean;
  readonly logStart: number;
  readonly keptStart: number;
  readonly totalBytes: number;
  /** A cut took away what was to be read. */
  isShort = false;

  constructor(
    layout: LogLayout,
    private readonly logFd: number | undefined,
    private readonly prevFd: number | undefined,
  ) {
    this.mark = layout.mark;
    this.isCutting = layout.isCutting;
    this.logStart = layout.logStart;
    this.keptStart = layout.keptStart;
    this.totalBytes = layout.totalBytes;
  }

  read(start: number, end: number): Buffer {
    const bytes = Buffer.allocUnsafe(end - start);
    const border = Math.min(Math.max(start, this.logStart), end);
    const before = bytes.subarray(0, border - start);
    if (before.length > 0) this.fill(before, this.prevFd, MARK_BYTES + start - (this.mark?.start ?? 0));
    const behind = bytes.subarray(border - start);
    if (behind.length > 0) this.fill(behind, this.logFd, border - this.logStart);
    return bytes;
  }

  private fill(bytes: Buffer, fd: number | undefined, position: number): void {
    let filled = 0;
    while (filled < bytes.length) {
      const count =
        fd === undefined ? 0 : readSync(fd, bytes, filled, bytes.length - filled, position + filled);
      if (count === 0) {
        this.isShort = true;
        bytes.fill(0, filled);
        return;
      }
      filled += count;
    }
  }
}

/** No cut began or ended since: the same `logPrev`, the same start of `log`. */
function isUnchanged(files: LogFiles, before: LogLayout, prevFd: number | undefined): boolean {
  const size = sizeOf(files.log);
  const fd = openIfThere(files.logPrev);
  try {
    if ((fd === undefined) !== (prevFd === undefined)) return false;
    const now = readLayout(files, size, fd);
    return now.logStart === before.logStart && now.mark?.end === before.mark?.end;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Changes with every write and every cut: whoever waits need not look closer. */
export function stampOf({ log }: LogFiles): string {
  try {
    const { size, mtimeMs } = statSync(log);
    return `${size} ${mtimeMs}`;
  } catch (error) {
    return ifMissing(error, '');
  }
}

export function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    return ifMissing(error, 0);
  }
}

export function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    return ifMissing(error, undefined);
  }
}

/** What stands there is no file of ours: a folder, links in a circle. It must not hide how the task has ended. */
const MISSING = new Set<string | undefined>(['ENOENT', 'EISDIR', 'ELOOP', 'ENOTDIR']);

function ifMissing<Value>(error: unknown, value: Value): Value {
  if (MISSING.has((error as NodeJS.ErrnoException).code)) return value;
  throw error;
}
