import { withoutHalves } from '../result/well-formed.js';
import { escapeText } from './escape-text.js';

/** A longer text is escaped and written piece by piece: it is never copied as a whole. */
const BIG_TEXT_CHARS = 262_144;

/** A part of a line; bytes are good until the next part is asked for. */
export type Piece = string | Uint8Array;

/**
 * One message as a line of JSON.
 *
 * @returns the whole line, or its pieces in order where the result carries a big text
 */
export function serializeInPieces(message: unknown): string | BigFrame {
  const texts: string[] = [];
  collectBigTexts(message, texts);
  if (texts.length === 0) return `${withoutHalves(JSON.stringify(message))}\n`;
  return {
    pieces: pieces(message, texts),
    heldChars: texts.reduce((sum, text) => sum + text.length, 0),
  };
}

export interface BigFrame {
  readonly pieces: Iterator<Piece>;
  /** What stays in memory until the last piece is written. */
  readonly heldChars: number;
}

interface MaybeResult {
  readonly result?: { readonly content?: readonly { readonly text?: unknown }[] };
}

function collectBigTexts(message: unknown, texts: string[]): void {
  const content = (message as MaybeResult).result?.content;
  if (!Array.isArray(content)) return;
  for (const { text } of content as readonly { text?: unknown }[]) {
    if (typeof text === 'string' && text.length > BIG_TEXT_CHARS) texts.push(text);
  }
}

/** The message with a mark in the place of each big text, cut at the marks. */
function* pieces(message: unknown, texts: readonly string[]): Generator<Piece, undefined> {
  const big = new Set(texts);
  const mark = `\u0001${Math.random().toString(36).slice(2)}\u0001`;
  const escapedMark = JSON.stringify(mark).slice(1, -1);
  const order: string[] = [];
  const skeleton = JSON.stringify(message, (_key, value: unknown) => {
    if (typeof value !== 'string' || !big.has(value)) return value;
    order.push(value);
    return mark;
  });
  const parts = withoutHalves(skeleton).split(escapedMark);
  for (const [index, part] of parts.entries()) {
    yield part;
    const text = order[index];
    if (text !== undefined) yield* escapeText(text);
  }
  yield '\n';
  return undefined;
}
