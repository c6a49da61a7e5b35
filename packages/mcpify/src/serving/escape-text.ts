const PIECE_CHARS = 65_536;
const MOST_BYTES_A_CHAR = 3;
const LONGEST_ESCAPE = '\\u0000'.length;

/**
 * The inside of a JSON string in UTF-8, piece by piece. Half of a surrogate pair becomes U+FFFD.
 *
 * A piece is good until the next one is asked for: they share a buffer, so that a big text is neither copied as a whole
 * nor leaves garbage of its size.
 */
export function* escapeText(text: string): Generator<Uint8Array, undefined> {
  const encoder = new TextEncoder();
  const plain = new Uint8Array((PIECE_CHARS + 1) * MOST_BYTES_A_CHAR);
  const escaped = new Uint8Array((PIECE_CHARS + 1) * LONGEST_ESCAPE);
  for (let start = 0, end; start < text.length; start = end) {
    end = pieceEnd(text, start);
    const { written } = encoder.encodeInto(text.slice(start, end), plain);
    yield escaped.subarray(0, escapeInto(escaped, plain, written));
  }
  return undefined;
}

/** No surrogate pair is cut. */
function pieceEnd(text: string, start: number): number {
  const end = start + PIECE_CHARS;
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}

const BACKSLASH = 0x5c;
const LONG_FORM = 0x75;
const ZERO = 0x30;
const HEX_DIGITS = Buffer.from('0123456789abcdef');

/** What stands behind the backslash: a letter, `u` for the long form; 0 = the byte needs no escape. */
const ESCAPES = new Uint8Array(256);
ESCAPES.fill(LONG_FORM, 0, 0x20);
for (const [character, letter] of ['""', '\\\\', '\bb', '\tt', '\nn', '\ff', '\rr']) {
  ESCAPES[character!.charCodeAt(0)] = letter!.charCodeAt(0);
}

/** @returns how many bytes were written */
function escapeInto(target: Uint8Array, source: Uint8Array, sourceBytes: number): number {
  let at = 0;
  for (let index = 0; index < sourceBytes; index += 1) {
    const byte = source[index] as number;
    const letter = ESCAPES[byte] as number;
    if (letter === 0) {
      target[at++] = byte;
      continue;
    }
    target[at++] = BACKSLASH;
    target[at++] = letter;
    if (letter !== LONG_FORM) continue;
    target[at++] = ZERO;
    target[at++] = ZERO;
    target[at++] = HEX_DIGITS[byte >> 4] as number;
    target[at++] = HEX_DIGITS[byte & 0xf] as number;
  }
  return at;
}
