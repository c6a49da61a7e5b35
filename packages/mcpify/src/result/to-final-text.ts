import { stripVTControlCharacters } from 'node:util';

import { withoutControlStrings } from './control-strings.js';

/**
 * What a person would read in the end (B4.4): colours removed, lines that were drawn over again (progress bars,
 * spinners) as they were last. Text without control characters is returned as it is, uncopied.
 */
export function toFinalText(text: string): string {
  if (!/[\u001b\u0080-\u009f\r\b]/.test(text)) return text;
  const unix = withoutControlStrings(text).replaceAll('\r\n', '\n');
  return withoutControls(REDRAWS.test(unix) ? redraw(unix) : stripVTControlCharacters(unix));
}

/** Carriage return, backspace, or a CSI sequence that moves the cursor or erases. */
const REDRAWS = /[\r\b]|(?:\u001b\[|\u009b)[0-9;]*[A-HJKf]/;

const SEQUENCE = /(?:\u001b\[|\u009b)([0-9;?]*)([@-~])|[\r\n\b]|[^\r\n\b\u001b\u009b]+|[\s\S]/y;

/** Long output with cursor movement is a full-screen program's; its rows are bounded as a terminal's are. */
const FARTHEST_MOVE = 500;

/** Draws on rows of text as a terminal of endless width would. */
function redraw(text: string): string {
  const screen = new Screen();
  const plain = stripVTControlCharacters;
  SEQUENCE.lastIndex = 0;
  for (let match = SEQUENCE.exec(text); match; match = SEQUENCE.exec(text)) {
    const [token, parameters, final] = match;
    if (final !== undefined) screen.control(final, parameters ?? '');
    else if (token === '\n') screen.lineFeed();
    else if (token === '\r') screen.column = 0;
    else if (token === '\b') screen.column = Math.max(0, screen.column - 1);
    else if (token !== '\u001b') screen.write(plain(token));
  }
  return screen.toString();
}

class Screen {
  column = 0;
  private row = 0;
  private readonly rows: string[] = [''];

  write(text: string): void {
    const line = (this.rows[this.row] ?? '').padEnd(this.column);
    this.rows[this.row] = line.slice(0, this.column) + text + line.slice(this.column + text.length);
    this.column += text.length;
  }

  lineFeed(): void {
    this.row += 1;
    this.column = 0;
    if (this.row === this.rows.length) this.rows.push('');
  }

  control(final: string, parameters: string): void {
    const count = Math.min(Number.parseInt(parameters, 10) || 1, FARTHEST_MOVE);
    if (final === 'A' || final === 'F') this.row = Math.max(0, this.row - count);
    if (final === 'B' || final === 'E') this.row = Math.min(this.rows.length - 1, this.row + count);
    if (final === 'C') this.column += count;
    if (final === 'D') this.column = Math.max(0, this.column - count);
    if (final === 'G') this.column = count - 1;
    if (final === 'E' || final === 'F') this.column = 0;
    if (final === 'K') this.eraseInLine(parameters);
    if (final === 'J') this.eraseBelow(parameters);
  }

  private eraseInLine(parameters: string): void {
    const line = this.rows[this.row] ?? '';
    if (parameters === '2') this.rows[this.row] = '';
    else if (parameters === '1') this.rows[this.row] = ' '.repeat(this.column) + line.slice(this.column);
    else this.rows[this.row] = line.slice(0, this.column);
  }

  /** Clearing the whole screen (`2J`) keeps what scrolled by before, as a log does. */
  private eraseBelow(parameters: string): void {
    if (parameters !== '' && parameters !== '0') return;
    this.eraseInLine('');
    this.rows.length = this.row + 1;
  }

  toString(): string {
    return this.rows.map((row) => row.trimEnd()).join('\n');
  }
}

/** What is left of escape sequences that were cut in the middle, and bells. */
function withoutControls(text: string): string {
  return text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '');
}
