import { StringDecoder } from 'node:string_decoder';

import type { CapturedOutput, OutputSegment } from '../result/outcome.js';
import type { OutputSink } from './invocation.js';

type Stream = OutputSegment['stream'];

interface Chunk {
  readonly stream: Stream;
  text: string;
  sizeBytes: number;
}

/** Small writes are joined up to this size, so that a chatty command does not cost an object a write. */
const JOINED_SIZE_BYTES = 4_096;

/**
 * What one call printed, in the order of writing over both streams. Head and tail are kept within a budget; a text
 * that fits is never copied.
 */
export class OutputBuffer {
  private readonly head: Chunk[] = [];
  private readonly tail: Chunk[] = [];
  private readonly decoders: Partial<Record<Stream, StringDecoder>> = {};
  private readonly headBudget: number;
  private readonly tailBudget: number;
  private headBytes = 0;
  private tailBytes = 0;
  private totalBytes = 0;
  private headIsClosed = false;
  private hasOverflowed = false;
  private whole: OutputSink | undefined;

  /** @param keepWhole where all goes, as it was written, once it is more than the budget */
  constructor(
    budgetBytes: number,
    private readonly keepWhole?: () => OutputSink | undefined,
  ) {
    this.headBudget = Number.isFinite(budgetBytes) ? Math.ceil(budgetBytes / 2) : Infinity;
    this.tailBudget = Number.isFinite(budgetBytes) ? Math.floor(budgetBytes / 2) : 0;
  }

  /** @returns the text that was added; bytes of a character that is not complete yet are held back */
  write(stream: Stream, chunk: string | Uint8Array): string {
    const text = typeof chunk === 'string' ? chunk : this.decode(stream, chunk);
    if (text !== '') this.add(stream, text);
    return text;
  }

  /** All that was kept; a character that never became complete is U+FFFD. The buffer takes nothing more afterwards. */
  finish(): CapturedOutput {
    for (const [stream, decoder] of Object.entries(this.decoders)) {
      const rest = decoder.end();
      if (rest !== '') this.add(stream as Stream, rest);
    }
    this.trimTail();
    const omittedBytes = this.totalBytes - this.headBytes - this.tailBytes;
    const segments: { stream: Stream; text: string; omittedBefore?: boolean }[] = [];
    const append = ({ stream, text }: Chunk, omittedBefore: boolean) => {
      const last = segments.at(-1);
      if (last?.stream === stream && !omittedBefore) last.text += text;
      else segments.push({ stream, text, ...(omittedBefore && { omittedBefore }) });
    };
    this.head.forEach((chunk) => append(chunk, false));
    const tail = this.tail.length > 0 ? this.tail : [{ stream: 'stdout', text: '', sizeBytes: 0 } as const];
    if (omittedBytes > 0 || this.tail.length > 0) {
      tail.forEach((chunk, index) => append(chunk, index === 0 && omittedBytes > 0));
    }
    return { segments, totalBytes: this.totalBytes, omittedBytes };
  }

  private decode(stream: Stream, chunk: Uint8Array): string {
    const decoder = (this.decoders[stream] ??= new StringDecoder('utf8'));
    return decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  }

  private add(stream: Stream, text: string): void {
    const sizeBytes = Buffer.byteLength(text);
    this.totalBytes += sizeBytes;
    const room = this.headIsClosed ? 0 : this.headBudget - this.headBytes;
    if (sizeBytes <= room) {
      push(this.head, stream, text, sizeBytes);
      this.headBytes += sizeBytes;
      return;
    }
    const first = startOf(text, room);
    if (first !== '') {
      const firstBytes = Buffer.byteLength(first);
      push(this.head, stream, first, firstBytes);
      this.headBytes += firstBytes;
    }
    // Also where only a character did not fit: a smaller text behind it would overtake it.
    this.headIsClosed = true;
    this.addToTail(stream, text.slice(first.length), sizeBytes - Buffer.byteLength(first));
  }

  private addToTail(stream: Stream, text: string, sizeBytes: number): void {
    if (this.tailBytes + sizeBytes > this.tailBudget) this.overflow();
    this.whole?.write(text);
    if (sizeBytes >= this.tailBudget) {
      // Nothing before this text can be a part of the tail.
      this.tail.length = 0;
      this.tailBytes = 0;
    }
    const kept = sizeBytes > this.tailBudget ? endOf(text, this.tailBudget) : text;
    const keptBytes = Buffer.byteLength(kept);
    push(this.tail, stream, kept, keptBytes);
    this.tailBytes += keptBytes;
    // Whole chunks only: the first of those that stay is cut at the end.
    let dropped = 0;
    for (const chunk of this.tail) {
      if (this.tailBytes - chunk.sizeBytes < this.tailBudget) break;
      this.tailBytes -= chunk.sizeBytes;
      dropped += 1;
    }
    if (dropped > 0) this.tail.splice(0, dropped);
  }

  /** Now or never: all of it is still here. */
  private overflow(): void {
    if (this.hasOverflowed) return;
    this.hasOverflowed = true;
    this.whole = this.keepWhole?.();
    if (this.whole) for (const { text } of [...this.head, ...this.tail]) this.whole.write(text);
  }

  private trimTail(): void {
    const [first] = this.tail;
    const excess = this.tailBytes - this.tailBudget;
    if (!first || excess <= 0) return;
    const kept = endOf(first.text, first.sizeBytes - excess);
    const keptBytes = Buffer.byteLength(kept);
    this.tailBytes -= first.sizeBytes - keptBytes;
    first.text = kept;
    first.sizeBytes = keptBytes;
  }
}

function push(chunks: Chunk[], stream: Stream, text: string, sizeBytes: number): void {
  const last = chunks.at(-1);
  if (last?.stream === stream && last.sizeBytes + sizeBytes <= JOINED_SIZE_BYTES) {
    last.text += text;
    last.sizeBytes += sizeBytes;
  } else {
    chunks.push({ stream, text, sizeBytes });
  }
}

/** The first bytes of a text, cut at a character; a copy, so that the whole text can be freed. */
function startOf(text: string, sizeBytes: number): string {
  if (sizeBytes <= 0) return '';
  const bytes = Buffer.from(text.slice(0, sizeBytes));
  let end = Math.min(sizeBytes, bytes.length);
  while (end > 0 && end < bytes.length && isContinuation(bytes[end])) end -= 1;
  return bytes.toString('utf8', 0, end);
}

function endOf(text: string, sizeBytes: number): string {
  if (sizeBytes <= 0) return '';
  const bytes = Buffer.from(text.slice(-sizeBytes));
  let start = Math.max(0, bytes.length - sizeBytes);
  while (start < bytes.length && isContinuation(bytes[start])) start += 1;
  return bytes.toString('utf8', start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
