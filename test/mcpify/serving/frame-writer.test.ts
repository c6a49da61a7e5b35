import { Writable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { escapeText } from '../../../packages/mcpify/src/serving/escape-text.js';
import { FrameWriter } from '../../../packages/mcpify/src/serving/frame-writer.js';

/** Of a big text each piece is so long. */
const PIECE_CHARS = 65_536;

/** Keeps what it is given, and reads it only when it calls back: as a pipe that is full. */
class SlowPipe extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, callback: () => void): void {
    setImmediate(() => {
      this.text += chunk.toString();
      callback();
    });
  }
}

function escaped(text: string): string {
  let all = '';
  for (const bytes of escapeText(text)) all += Buffer.from(bytes).toString();
  return all;
}

test('any text is read back from its escaped form', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('\ud83d', '\udc4b', '"', '\\', '\u0000', '\u001f', '\u007f', '\u2028', 'é', '漢'),
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), fc.nat(45), (units, padding) => {
      // Where the first piece ends.
      const filling = 'x'.repeat(PIECE_CHARS - padding);
      const read = JSON.parse(`"${escaped(filling + units.join(''))}"`) as string;
      expect(read.slice(filling.length)).toBe(Buffer.from(units.join('')).toString());
      expect(read.startsWith(filling)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('a character is not cut between two pieces, and halves of one are replaced', () => {
  for (const padding of [0, 1, 2]) {
    const text = `${'x'.repeat(PIECE_CHARS - padding)}👋\ud83d`;
    expect(escaped(text)).toBe(`${'x'.repeat(PIECE_CHARS - padding)}👋\ufffd`);
  }
});

test.each([1, 64, 1_024])(
  'big and small messages arrive whole and in order; %i KiB high-water mark',
  async (kib) => {
    const pipe = new SlowPipe({ highWaterMark: kib * 1_024 });
    const writer = new FrameWriter(pipe);
    const messages = [1, 400_000, 20, 262_145, 300_000, 3].map((length, id) => {
      const text = Array.from({ length }, (_, index) => String.fromCharCode(32 + ((index * id) % 90))).join(
        '',
      );
      return { id, result: { content: [{ type: 'text', text }], at: id } };
    });
    for (const message of messages) writer.write(message);
    await writer.whenFlushed();
    const lines = pipe.text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(messages);
  },
);
