import {
  closeSync,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';

import { formatMark, MARK_BYTES, openIfThere, readLayout, sizeOf, type LogFiles } from './log-files.js';
import { remainderOfCharacter } from './utf8-borders.js';

const CHUNK_BYTES = 1024 * 1024;
/** A tail begins with a line, where one begins so near. */
const LONGEST_LINE_BYTES = 64 * 1024;

/**
 * Takes everything out of `log` and keeps the end of it in `logPrev`. Offsets go on as if nothing had happened. Nobody
 * may write meanwhile: what comes between the copy and the cut is lost, and nobody knows how much it was.
 *
 * Where the disk is too full for the copy, less is kept, or nothing.
 *
 * @param keptBytes how much of the end is kept at most
 * @throws what the file system says, where nothing could be done; the log is whole then
 */
export function cutLog(files: LogFiles, keptBytes: number): void {
  settleCut(files);
  const logFd = openSync(files.log, 'r+');
  try {
    const cutBytes = fstatSync(logFd).size;
    if (cutBytes === 0) return;
    const { logStart } = readLayout(files, cutBytes, undefined);
    const end = logStart + cutBytes;
    // The space of the old one is needed for the new one.
    rmSync(files.logPrev, { force: true });
    const newBase = `${files.logBase}.new`;
    // The last steps need no space: they cannot fail for want of it.
    writePrivate(newBase, String(end));
    const tailStart = startOfKept(logFd, cutBytes, keptBytes);
    writePrev(files, logFd, { start: tailStart, cutBytes, logStart });
    ftruncateSync(logFd, 0);
    renameSync(newBase, files.logBase);
  } finally {
    closeSync(logFd);
  }
}

/**
 * Ends a cut whose maker was killed in the middle. To be called before the writers, who were stopped for it, run again.
 */
export function settleCut(files: LogFiles): void {
  const prevFd = openIfThere(files.logPrev);
  if (prevFd === undefined) return;
  try {
    const { mark, isCutting, logStart } = readLayout(files, sizeOf(files.log), prevFd);
    // Where the log has not been emptied, it goes on as if there had been no cut.
    if (mark && isCutting && logStart === mark.end) writeBase(files, mark.end);
  } finally {
    closeSync(prevFd);
  }
}

function writeBase({ logBase }: LogFiles, offset: number): void {
  writePrivate(`${logBase}.new`, String(offset));
  renameSync(`${logBase}.new`, logBase);
}

function writePrivate(path: string, text: string): void {
  const fd = openPrivate(path);
  try {
    writeFully(fd, Buffer.from(text), 0);
  } finally {
    closeSync(fd);
  }
}

/** Mode 0600, whatever the umask is. */
function openPrivate(path: string): number {
  const fd = openSync(path, 'w', 0o600);
  fchmodSync(fd, 0o600);
  return fd;
}

interface Cut {
  /** A position in `log`. */
  readonly start: number;
  readonly cutBytes: number;
  readonly logStart: number;
}

function writePrev(files: LogFiles, logFd: number, cut: Cut): void {
  const unfinished = `${files.logPrev}.new`;
  try {
    copyTail(unfinished, logFd, cut);
  } catch {
    rmSync(unfinished, { force: true });
    copyTail(unfinished, logFd, { ...cut, start: cut.cutBytes });
  }
  renameSync(unfinished, files.logPrev);
}

function copyTail(path: string, logFd: number, { start, cutBytes, logStart }: Cut): void {
  const fd = openPrivate(path);
  try {
    const mark = { start: logStart + start, end: logStart + cutBytes, cutBytes };
    writeFully(fd, Buffer.from(formatMark(mark), 'latin1'), 0);
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, cutBytes - start));
    for (let position = start; position < cutBytes;) {
      const count = readSync(logFd, chunk, 0, Math.min(chunk.length, cutBytes - position), position);
      if (count === 0) throw new Error(`The log ${path} is shorter than it was.`);
      writeFully(fd, chunk.subarray(0, count), MARK_BYTES + position - start);
      position += count;
    }
  } finally {
    closeSync(fd);
  }
}

function writeFully(fd: number, bytes: Buffer, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
  }
}

/** Where in `log` the kept part begins: a line if one begins near, else a character. */
function startOfKept(logFd: number, sizeBytes: number, keptBytes: number): number {
  const start = Math.max(0, sizeBytes - keptBytes);
  if (start === 0) return 0;
  const bytes = Buffer.alloc(LONGEST_LINE_BYTES + 3);
  const from = Math.max(0, start - 3);
  const window = bytes.subarray(0, readSync(logFd, bytes, 0, bytes.length, from));
  const before = window.subarray(0, start - from);
  const behind = window.subarray(start - from);
  const lineEnd = window.indexOf('\n', Math.max(0, start - from - 1));
  if (lineEnd >= 0) return from + lineEnd + 1;
  return start + remainderOfCharacter(before, behind);
}
