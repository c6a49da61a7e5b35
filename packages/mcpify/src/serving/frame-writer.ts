import type { Writable } from 'node:stream';

import { serializeInPieces, type BigFrame, type Piece } from './serialize-in-pieces.js';

/** More than this waiting to be read by the client: what may be dropped, is (B5.3). */
const CONGESTED_CHARS = 262_144;

/** Small frames of one turn of the event loop are written together up to about this many characters. */
const BATCH_CHARS = 65_536;

/** The program's own may be a test's. */
const { nextTick } = process;

/**
 * The one queue to the client (P11): frames in order, many small ones in one write, big ones in pieces, and no more
 * handed to the stream than it takes.
 */
export class FrameWriter {
  private readonly queue: BigFrame[] = [];
  private batch = '';
  /** Was taken from the queue already; it follows the batch. */
  private held: Uint8Array | undefined;
  private queuedChars = 0;
  private heldChars = 0;
  private isScheduled = false;
  private isScheduledSoon = false;
  private isBlocked = false;
  /** Bytes are on their way that nothing may change. */
  private isSending = false;
  private isClosed = false;
  private readonly waiters: (() => void)[] = [];

  /** @param onChange called when `waitingChars` may have changed */
  constructor(
    private readonly output: Writable,
    private readonly onChange: () => void = () => {},
  ) {
    output.on('drain', () => {
      this.isBlocked = false;
      this.flush();
    });
  }

  get isCongested(): boolean {
    return this.isBlocked || this.queuedChars > CONGESTED_CHARS;
  }

  /** What the client has not read yet, as far as this process keeps it. */
  get waitingChars(): number {
    return this.queuedChars + this.heldChars + this.output.writableLength;
  }

  /** Queues one message, a line of its own. It leaves at the end of this turn of the event loop. */
  write(message: unknown): void {
    if (this.isClosed) return;
    this.add(serializeInPieces(message));
    this.schedule();
  }

  /** Queues one that somebody waits for: it leaves with those that are ready at this moment. */
  writeAnswer(message: unknown): void {
    if (this.isClosed) return;
    this.add(serializeInPieces(message));
    this.scheduleSoon();
  }

  /** The same for an answer that is a line already. */
  writeLine(line: string): void {
    if (this.isClosed) return;
    this.add(line);
    this.scheduleSoon();
  }

  private add(frame: string | BigFrame): void {
    if (typeof frame === 'string') {
      this.queuedChars += frame.length;
      if (this.queue.length === 0) this.batch += frame;
      else this.queue.push({ pieces: [frame][Symbol.iterator](), heldChars: 0 });
    } else {
      this.heldChars += frame.heldChars;
      this.queue.push(frame);
    }
    this.onChange();
  }

  /** Resolves once all that was queued has been handed to the system. */
  whenFlushed(): Promise<void> {
    if (this.isEmpty()) return Promise.resolve();
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  /** The reader is gone: nothing more can be written. */
  close(): void {
    this.isClosed = true;
    this.queue.length = 0;
    this.batch = '';
    this.held = undefined;
    this.queuedChars = 0;
    this.heldChars = 0;
    this.release();
  }

  private isEmpty(): boolean {
    // A stream takes more than the system has: what it still holds would be lost with the process.
    const isHandedOver = !this.isBlocked && this.output.writableLength === 0;
    return this.isClosed || (this.batch === '' && !this.held && this.queue.length === 0 && isHandedOver);
  }

  private readonly onWritten = (): void => {
    if (this.waiters.length > 0 && this.isEmpty()) this.release();
    this.onChange();
  };

  private schedule(): void {
    if (this.isScheduled || this.isBlocked) return;
    this.isScheduled = true;
    // After the callbacks of this turn: what is ready together leaves together.
    setImmediate(() => {
      this.isScheduled = false;
      this.flush();
    });
  }

  /** Answers become ready together already: calls that end in one turn wait for its end (`rejections-told.ts`). */
  private scheduleSoon(): void {
    if (this.isScheduledSoon || this.isBlocked) return;
    this.isScheduledSoon = true;
    // After the microtasks that are under way.
    nextTick(() => {
      this.isScheduledSoon = false;
      this.flush();
    });
  }

  private flush(): void {
    while (!this.isBlocked && !this.isSending && !this.isClosed) {
      const piece = this.next();
      if (piece === '') break;
      this.isBlocked = !this.send(piece);
    }
    if (this.isEmpty()) this.release();
  }

  /** @returns whether the stream takes more */
  private send(piece: Piece): boolean {
    if (typeof piece === 'string') return this.output.write(piece, this.onWritten);
    this.isSending = true;
    return this.output.write(piece, () => {
      this.isSending = false;
      this.flush();
      this.onChange();
    });
  }

  private next(): Piece {
    const { held } = this;
    this.held = undefined;
    if (held) return held;
    let text = this.batch;
    this.queuedChars -= text.length;
    this.batch = '';
    while (text.length < BATCH_CHARS) {
      const [first] = this.queue;
      if (!first) break;
      const { done, value } = first.pieces.next();
      if (done) {
        this.queue.shift();
        this.heldChars -= first.heldChars;
      } else if (typeof value === 'string') {
        text += value;
        this.queuedChars = Math.max(0, this.queuedChars - value.length);
      } else if (text === '') {
        return value;
      } else {
        this.held = value;
        break;
      }
    }
    return text;
  }

  private release(): void {
    for (const resolve of this.waiters.splice(0)) resolve();
  }
}
