/**
 * How many bytes at the end begin a character that may still become whole: 0 to 3. What cannot become one any more
 * counts as decoded: binary data never waits for the rest.
 */
export function incompleteBytesAtEnd(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count += 1) {
    const lead = bytes[bytes.length - count] ?? 0;
    if (isContinuation(lead)) continue;
    return count < characterLength(lead) && isPossible(bytes.subarray(bytes.length - count)) ? count : 0;
  }
  return 0;
}

/** How many bytes at the start of `bytes` end a character that begins in those `before` it: 0 to 3. */
export function remainderOfCharacter(before: Uint8Array, bytes: Uint8Array): number {
  const begun = incompleteBytesAtEnd(before);
  if (begun === 0) return 0;
  const character = new Uint8Array(4);
  character.set(before.subarray(before.length - begun));
  const missing = characterLength(character[0] ?? 0) - begun;
  for (let count = 0; count < missing; count += 1) {
    const byte = bytes[count];
    if (byte === undefined) return count;
    character[begun + count] = byte;
    // The character was broken off: what is here stands for itself.
    if (!isContinuation(byte) || !isPossible(character.subarray(0, begun + count + 1))) return 0;
  }
  return missing;
}

/** Bytes of the first character, or of what stands in its place; 0 where more bytes must come to tell. */
export function firstCharacterLength(bytes: Uint8Array): number {
  for (let length = 1; length <= Math.min(4, bytes.length); length += 1) {
    // What begins behind it tells that it is over, broken off as it may be.
    const begun = incompleteBytesAtEnd(bytes.subarray(0, length));
    if (begun < length) return length - begun;
  }
  return 0;
}

function characterLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 1;
}

/** The second byte has narrower bounds behind some first ones: overlong forms, surrogates, numbers too large. */
function isPossible([lead = 0, second]: Uint8Array): boolean {
  if (second === undefined) return true;
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second <= 0x9f;
  if (lead === 0xf0) return second >= 0x90;
  if (lead === 0xf4) return second <= 0x8f;
  return true;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
