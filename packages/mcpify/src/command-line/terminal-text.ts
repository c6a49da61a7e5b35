import { toFinalText } from '../result/to-final-text.js';

/** An escape sequence; the first group: its last character, where it is one of `CSI`. */
const SEQUENCE =
  /(?:\u001b\[|\u009b)[0-9;:?]*[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[PX^_][^\u001b]*\u001b\\|\u001b[ -/]*[0-~]|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const UNFINISHED = /(?:\u001b\[|\u009b)[0-9;:?]*$|\u001b[\]PX^_][^\u0007\u001b]{0,200}\u001b?$|\u001b$/;

/** Colours, and erasing within a line: what a log may do to a terminal. */
const HARMLESS = new Set(['m', 'K']);

/** Turns pieces of a log into what is written out. */
export interface LogWriter {
  write(text: string): string;
  /** What is left at the end. */
  end(): string;
}

/**
 * For a terminal: colours and progress bars are as the command drew them. A log cannot set the title, move the cursor
 * over other lines, or answer in the place of the person.
 */
export class TerminalLog implements LogWriter {
  private rest = '';

  write(text: string): string {
    const whole = this.rest + text;
    const start = UNFINISHED.exec(whole)?.index ?? whole.length;
    this.rest = whole.slice(start);
    return whole
      .slice(0, start)
      .replaceAll(SEQUENCE, (sequence: string, final?: string) =>
        final !== undefined && HARMLESS.has(final) ? sequence : '',
      );
  }

  end(): string {
    this.rest = '';
    return '';
  }
}

/** For a pipe or a file: lines as they were in the end, without colours. */
export class PlainLog implements LogWriter {
  private rest = '';

  write(text: string): string {
    const whole = this.rest + text;
    const end = whole.lastIndexOf('\n') + 1;
    this.rest = whole.slice(end);
    return toFinalText(whole.slice(0, end));
  }

  end(): string {
    const last = toFinalText(this.rest);
    this.rest = '';
    return last;
  }
}
