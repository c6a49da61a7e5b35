import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

import fc from 'fast-check';
import { expect } from 'vitest';

import { cutLog } from '../../../../packages/mcpify/src/tasks/output/cut-log.js';
import { test, TaskLog } from './task-log.js';

test('a tail is the last lines, with or without a line feed at the end, over a cut too', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\r') }), { minLength: 1 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 12 }),
      fc.nat(),
      (lines, isClosed, tailLines, cutBehind) => {
        const log = new TaskLog();
        try {
          const bytes = Buffer.from(lines.join('\n') + (isClosed ? '\n' : ''));
          const border = cutBehind % (bytes.length + 1);
          log.append(bytes.subarray(0, border));
          cutLog(log.folder, border);
          log.append(bytes.subarray(border));

          const page = log.read({ tailLines });

          const all = bytes.toString().match(/[^\n]*\n|[^\n]+$/g) ?? [];
          expect(page.text).toBe(all.slice(-tailLines).join(''));
          expect(page).toMatchObject({ nextOffsetBytes: bytes.length, truncatedBytes: 0 });
        } finally {
          log.remove();
        }
      },
    ),
  );
});

test('lines that do not fit are left out whole; of a line that does not fit its end is given', ({ log }) => {
  log.append('first\nsecond\nthird\n');
  expect(log.read({ tailLines: 3, maxBytes: 15 }).text).toBe('second\nthird\n');
  expect(log.read({ tailLines: 3, maxBytes: 13 }).text).toBe('second\nthird\n');
  expect(log.read({ tailLines: 3, maxBytes: 12 }).text).toBe('third\n');
  expect(log.read({ tailLines: 3, maxBytes: 4 })).toMatchObject({ text: 'ird\n', offsetBytes: 15 });
  log.append('é€é');
  expect(log.read({ tailLines: 1, maxBytes: 4 }).text).toBe('é');
});

test('a tail of more lines than there are is all of them', ({ log }) => {
  log.append('one\ntwo');
  expect(log.read({ tailLines: 5_000 }).text).toBe('one\ntwo');
});

test('a tail reads the end of a log only, however large it is', ({ log }) => {
  const lines = Array.from({ length: 3_000 }, (_, number) => `line ${number}\n`).join('');
  const bytesRead = [1_000_000, 1_000_000_000].map((sizeBytes) => {
    // A file with a hole: its size is what counts.
    const fd = openSync(log.folder.log, 'w');
    writeSync(fd, lines, sizeBytes - lines.length);
    closeSync(fd);
    const before = bytesReadSoFar();
    const page = log.read({ tailLines: 1_000, maxBytes: 1_000_000 });
    const count = bytesReadSoFar() - before;
    expect(page.text.endsWith('line 2998\nline 2999\n')).toBe(true);
    expect(page.totalBytes).toBe(sizeBytes);
    return count;
  });
  expect(bytesRead[0]).toBeLessThan(300_000);
  expect(Math.abs(bytesRead[1]! - bytesRead[0]!)).toBeLessThan(10_000);
});

/** Of this process, by all of its system calls. */
function bytesReadSoFar(): number {
  return Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}
