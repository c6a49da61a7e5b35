import fc from 'fast-check';
import { describe, expect } from 'vitest';

import { cutLog } from '../../../../packages/mcpify/src/tasks/output/cut-log.js';
import { test, TaskLog } from './task-log.js';

/** Output as programs write it: cut anywhere, also inside of a character; some of it binary. */
const texts = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => Buffer.from(text));
const lines = texts.map((text) => Buffer.concat([text, Buffer.from('\n')]));
const binary = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes));
/** Bytes that begin, go on or end a character: the hard ones. */
const shards = fc
  .array(fc.constantFrom(0x80, 0x9f, 0xa0, 0xbf, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xff, 0x41), {
    maxLength: 12,
  })
  .map((bytes) => Buffer.from(bytes));

type Step =
  | { readonly kind: 'write'; readonly bytes: Buffer }
  | { readonly kind: 'read'; readonly maxBytes: number }
  | { readonly kind: 'cut'; readonly keptBytes: number };

function stepsOf(bytes: fc.Arbitrary<Buffer>): fc.Arbitrary<Step[]> {
  const writes = bytes.chain((whole) =>
    fc.integer({ min: 0, max: whole.length }).map((middle) => [
      { kind: 'write' as const, bytes: whole.subarray(0, middle) },
      { kind: 'write' as const, bytes: whole.subarray(middle) },
    ]),
  );
  const reads = fc.integer({ min: 1, max: 40 }).map((maxBytes) => [{ kind: 'read' as const, maxBytes }]);
  const cuts = fc.nat({ max: 120 }).map((keptBytes) => [{ kind: 'cut' as const, keptBytes }]);
  const step = fc.oneof({ weight: 4, arbitrary: writes }, { weight: 4, arbitrary: reads }, cuts);
  return fc.array(step as fc.Arbitrary<Step[]>, { minLength: 5, maxLength: 40 }).map((steps) => steps.flat());
}

/** Follows a log as an agent does: page after page, each from where the last one ended. */
class Follower {
  offset = 0;
  text = '';
  /** Ranges of bytes that were not kept until they were read. */
  readonly dropped: { readonly start: number; readonly end: number }[] = [];

  constructor(private readonly log: TaskLog) {}

  read(maxBytes: number, isEnded = false): number {
    const page = this.log.read({ offsetBytes: this.offset, maxBytes }, isEnded);
    expect(page.nextOffsetBytes - page.offsetBytes).toBeLessThanOrEqual(Math.max(maxBytes, 4));
    if (page.truncatedBytes > 0) {
      this.dropped.push({ start: this.offset, end: this.offset + page.truncatedBytes });
    }
    expect(page.offsetBytes - this.offset - page.truncatedBytes).toBe(0);
    this.text += page.text;
    const progress = page.nextOffsetBytes - this.offset;
    this.offset = page.nextOffsetBytes;
    return progress;
  }
}

function play(log: TaskLog, steps: readonly Step[]): { written: Buffer; follower: Follower } {
  let written = Buffer.alloc(0);
  const follower = new Follower(log);
  log.append('');
  for (const step of steps) {
    if (step.kind === 'write') {
      log.append(step.bytes);
      written = Buffer.concat([written, step.bytes]);
    }
    if (step.kind === 'cut') cutLog(log.folder, step.keptBytes);
    if (step.kind === 'read') follower.read(step.maxBytes);
  }
  let reads = 0;
  // The smallest pages: no byte may bring them to a halt.
  while (follower.read(1, true) > 0) {
    reads += 1;
    expect(reads).toBeLessThanOrEqual(written.length);
  }
  expect(follower.offset).toBe(written.length);
  return { written, follower };
}

describe('pages that follow one another give the whole log', () => {
  test.for([
    ['text', fc.oneof(texts, lines)],
    ['bytes of any kind', fc.oneof(texts, binary, shards)],
  ] as const)('%s', ([, bytes]) => {
    let cuts = 0;
    fc.assert(
      fc.property(stepsOf(bytes), (steps) => {
        const log = new TaskLog();
        try {
          const { written, follower } = play(log, steps);
          const kept: Buffer[] = [];
          let end = 0;
          for (const gap of follower.dropped) {
            kept.push(written.subarray(end, gap.start));
            end = gap.end;
          }
          kept.push(written.subarray(end));
          cuts += follower.dropped.length;
          expect(follower.text).toBe(kept.map((part) => part.toString()).join(''));
        } finally {
          log.remove();
        }
      }),
      { numRuns: 150 },
    );
    expect(cuts).toBeGreaterThan(0);
  });
});

describe('a character that is not whole', () => {
  test('is held back while it may become so, and told once it cannot', ({ log }) => {
    const sign = Buffer.from('€');
    log.append(Buffer.concat([Buffer.from('a'), sign.subarray(0, 2)]));
    expect(log.read()).toMatchObject({ text: 'a', nextOffsetBytes: 1, totalBytes: 3 });
    expect(log.read({ offsetBytes: 1 })).toMatchObject({ text: '', nextOffsetBytes: 1 });
    expect(log.read({ offsetBytes: 1 }, true)).toMatchObject({ text: '\ufffd', nextOffsetBytes: 3 });
    expect(log.read({ offsetBytes: 1, maxBytes: 1 }, true)).toMatchObject({ nextOffsetBytes: 3 });
    expect(log.read({}, true)).toMatchObject({ text: 'a\ufffd', nextOffsetBytes: 3 });
    log.append(sign.subarray(2));
    expect(log.read({ offsetBytes: 1 })).toMatchObject({ text: '€', nextOffsetBytes: 4 });
  });

  test.for([[0xc2], [0xdf], [0xe0, 0xa0], [0xed, 0x9f], [0xf0, 0x90], [0xf4, 0x8f], [0xf4, 0x8f, 0xbf]])(
    'may become so: %s',
    (bytes, { log }) => {
      log.append(Uint8Array.from([0x41, ...bytes]));
      expect(log.read()).toMatchObject({ text: 'A', nextOffsetBytes: 1 });
    },
  );

  test.for([[0x80], [0xc1], [0xe0, 0x9f], [0xed, 0xa0], [0xf0, 0x8f], [0xf4, 0x90], [0xf5]])(
    'can become none, nothing waits for it: %s',
    (bytes, { log }) => {
      log.append(Uint8Array.from([0x41, ...bytes]));
      expect(log.read()).toMatchObject({ nextOffsetBytes: 1 + bytes.length });
    },
  );

  test('is left out where an offset lies inside of it', ({ log }) => {
    log.append('a😀b');
    for (const offsetBytes of [2, 3, 4]) {
      expect(log.read({ offsetBytes })).toMatchObject({ text: 'b', offsetBytes: 5, truncatedBytes: 0 });
    }
    expect(log.read({ offsetBytes: 1 })).toMatchObject({ text: '😀b', offsetBytes: 1 });
  });

  test('is given whole to a page that is smaller', ({ log }) => {
    log.append('😀é');
    expect(log.read({ maxBytes: 1 })).toMatchObject({ text: '😀', nextOffsetBytes: 4 });
    expect(log.read({ maxBytes: 1, offsetBytes: 4 })).toMatchObject({ text: 'é', nextOffsetBytes: 6 });
  });
});

describe('where a page begins', () => {
  test('a log that is not there is empty', ({ log }) => {
    const empty = { text: '', offsetBytes: 0, nextOffsetBytes: 0, totalBytes: 0, truncatedBytes: 0 };
    expect(log.read()).toEqual(empty);
    expect(log.read({ tailLines: 5 })).toEqual(empty);
    expect(log.read({ offsetBytes: 9 })).toEqual(empty);
  });

  test('behind the end: at the end', ({ log }) => {
    log.append('abc');
    expect(log.read({ offsetBytes: 9 })).toMatchObject({ text: '', offsetBytes: 3, nextOffsetBytes: 3 });
  });

  test('before what is kept: where that begins, and what is missing is counted', ({ log }) => {
    log.append('one\ntwo\nthree\n');
    cutLog(log.folder, 7);
    log.append('four\n');
    expect(log.read()).toEqual({
      text: 'three\nfour\n',
      offsetBytes: 8,
      nextOffsetBytes: 19,
      totalBytes: 19,
      truncatedBytes: 8,
    });
    expect(log.read({ offsetBytes: 6 })).toMatchObject({ truncatedBytes: 2 });
    expect(log.read({ offsetBytes: 9 })).toMatchObject({ text: 'hree\nfour\n', truncatedBytes: 0 });
  });
});
