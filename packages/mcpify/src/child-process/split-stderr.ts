/** Marks around stderr text on the pipe of stdout (`child-preload.ts`): one a run, so that no output can hold it. */
export function newStderrMark(token: string): string {
  return `\u001emcpify ${token}\u001e`;
}

export type WriteOutput = (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;

/** Takes the stderr text out of the stdout of one child again, in the order of writing. */
export class StderrSplitter {
  private readonly mark: Buffer;
  private waiting: Uint8Array = Buffer.alloc(0);
  private stream: 'stdout' | 'stderr' = 'stdout';

  constructor(
    mark: string,
    private readonly write: WriteOutput,
  ) {
    this.mark = Buffer.from(mark);
  }

  push(chunk: Uint8Array): void {
    const bytes = this.waiting.length === 0 ? asBuffer(chunk) : Buffer.concat([this.waiting, chunk]);
    let from = 0;
    for (;;) {
      const at = bytes.indexOf(this.mark, from);
      const kind = at < 0 ? undefined : bytes[at + this.mark.length];
      if (kind === undefined) break;
      this.emit(bytes.subarray(from, at));
      this.stream = kind === OPEN ? 'stderr' : 'stdout';
      from = at + this.mark.length + 1;
    }
    const end = bytes.length - this.unfinishedMark(bytes.subarray(from));
    this.emit(bytes.subarray(from, end));
    this.waiting = bytes.subarray(end);
  }

  /** What looked like the beginning of a mark was output. */
  finish(): void {
    this.emit(this.waiting);
    this.waiting = Buffer.alloc(0);
  }

  private emit(bytes: Uint8Array): void {
    if (bytes.length > 0) this.write(this.stream, bytes);
  }

  /** How many bytes at the end may be the beginning of a mark. */
  private unfinishedMark(bytes: Buffer): number {
    for (let at = bytes.indexOf(FIRST, -this.mark.length - 1); at >= 0; at = bytes.indexOf(FIRST, at + 1)) {
      const rest = bytes.subarray(at);
      if (this.mark.subarray(0, rest.length).equals(rest.subarray(0, this.mark.length))) return rest.length;
    }
    return 0;
  }
}

const OPEN = '<'.charCodeAt(0);
const FIRST = 0x1e;

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
