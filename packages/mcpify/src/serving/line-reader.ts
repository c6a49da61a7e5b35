import { isUtf8 } from 'node:buffer';

/** A longer line is dropped (P8): no request of a client comes near it. */
const LONGEST_LINE_BYTES = 4 * 1024 * 1024;

export type Line =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tooLong' }
  | { readonly kind: 'notUtf8' };

/** A line that trickles in is put together now and then: a small part costs more memory than its bytes. */
const MOST_PARTS = 1_024;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BOM = [0xef, 0xbb, 0xbf];

/**
 * Cuts the byte stream into lines (P1, P8, P9): split reads, CRLF, blank lines, a byte order mark and a last line
 * without newline are all fine. Memory stays bounded while a line that is too long passes by.
 */
export class LineReader {
  private parts: Buffer[] = [];
  private sizeBytes = 0;
  private isDropping = false;
  private isFirst = true;

  /** @param emit called for each line, in order */
  constructor(private readonly emit: (line: Line) => void) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.add(chunk.subarray(start, end));
      this.finishLine();
      start = end + 1;
    }
    if (start < chunk.length) this.add(chunk.subarray(start));
  }

  /** The end of the stream ends the last line. */
  end(): void {
    if (this.sizeBytes > 0 || this.isDropping) this.finishLine();
  }

  private add(part: Buffer): void {
    if (this.isDropping) return;
    this.sizeBytes += part.length;
    if (this.sizeBytes > LONGEST_LINE_BYTES) {
      this.isDropping = true;
      this.parts = [];
    } else {
      this.parts.push(part);
      if (this.parts.length > MOST_PARTS) this.parts = [Buffer.concat(this.parts)];
    }
  }

  private finishLine(): void {
    const [first] = this.parts;
    const line = this.parts.length === 1 && first ? first : Buffer.concat(this.parts);
    const isTooLong = this.isDropping;
    this.parts = [];
    this.sizeBytes = 0;
    this.isDropping = false;
    if (isTooLong) {
      this.isFirst = false;
      this.emit({ kind: 'tooLong' });
      return;
    }
    const bytes = this.trim(line);
    this.isFirst = false;
    if (!isUtf8(bytes)) {
      this.emit({ kind: 'notUtf8' });
      return;
    }
    const text = bytes.toString('utf8');
    if (text.trim() !== '') this.emit({ kind: 'text', text });
  }

  private trim(line: Buffer): Buffer {
    const start = this.isFirst && BOM.every((byte, index) => line[index] === byte) ? BOM.length : 0;
    const end = line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length;
    return line.subarray(start, Math.max(start, end));
  }
}
