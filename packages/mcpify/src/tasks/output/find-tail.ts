import type { OpenLog } from './log-files.js';

const BLOCK_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

/**
 * Where the last lines of a log begin, sought from its end on, block by block. Where they do not fit, the first line
 * that does; where not even the last one does, its last bytes.
 */
export function startOfTail(log: OpenLog, limits: { lines: number; maxBytes: number }): number {
  const { keptStart, totalBytes } = log;
  const lowest = Math.max(keptStart, totalBytes - limits.maxBytes);
  let missing = limits.lines;
  let lineStart = totalBytes;
  let end = totalBytes;
  while (end > lowest) {
    const start = Math.max(lowest, end - BLOCK_BYTES);
    const block = log.read(start, end);
    let index = block.lastIndexOf(LINE_FEED);
    while (index >= 0) {
      // The last byte ends the last line, it does not begin another one.
      if (start + index + 1 < totalBytes) {
        lineStart = start + index + 1;
        missing -= 1;
        if (missing === 0) return lineStart;
      }
      index = index === 0 ? -1 : block.lastIndexOf(LINE_FEED, index - 1);
    }
    end = start;
  }
  if (lowest === keptStart || isLineStart(log, lowest)) return lowest;
  return lineStart < totalBytes ? lineStart : lowest;
}

function isLineStart(log: OpenLog, offset: number): boolean {
  return log.read(offset - 1, offset)[0] === LINE_FEED;
}
