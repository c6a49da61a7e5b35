import { toFinalText } from '../result/to-final-text.js';
import type { LogLevel } from './invocation.js';
import { readLogLine } from './read-log-line.js';

/** A longer line is cut: it is data, not a log line. */
const LONGEST_LINE = 2_000;

/** Of a bigger write only the end is read for lines: it is a document, and the whole is in the result anyway. */
const LONGEST_WRITE = 16_384;

/**
 * Makes log events of what a command prints (B5.1): one a line, with a level that is read from the line itself where
 * it names one, else that of the way it was printed.
 */
export class LineLog {
  private partial = '';

  /** @param mask hides secrets: what is cut has lost the end by which they are known (K22) */
  constructor(
    private readonly log: (level: LogLevel, line: string) => void,
    private readonly mask: (line: string) => string = (line) => line,
  ) {}

  write(text: string, level: LogLevel): void {
    const isLong = text.length > LONGEST_WRITE;
    const lines = (isLong ? text.slice(-LONGEST_WRITE) : this.partial + text).split('\n');
    const last = lines.pop() ?? '';
    // Of a line that is drawn over again and again, the last drawing is enough.
    this.partial = last.length > LONGEST_WRITE ? last.slice(0, LONGEST_WRITE) : last;
    if (isLong) lines.shift();
    for (const line of lines) this.emit(line, level);
  }

  /** The last line, where no newline ended it. */
  finish(level: LogLevel): void {
    const rest = this.partial;
    this.partial = '';
    this.emit(rest, level);
  }

  private emit(line: string, level: LogLevel): void {
    const text = toPlainLine(line, this.mask);
    if (text === '') return;
    const read = readLogLine(text);
    this.log(read?.level ?? level, read?.message ?? text);
  }
}

const CONTROLS = /[\u001b\u0080-\u009f]/;

function toPlainLine(line: string, mask: (line: string) => string): string {
  const drawn = line.endsWith('\r') ? line.slice(0, -1) : line;
  const last = drawn.slice(drawn.lastIndexOf('\r') + 1);
  const text = mask(CONTROLS.test(last) ? toFinalText(last) : last);
  return (text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text).trimEnd();
}
