import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { expect, onTestFinished } from 'vitest';

import { capLog } from '../../../../packages/mcpify/src/tasks/output/cap-log.js';
import { waitForPage } from '../../../../packages/mcpify/src/tasks/output/wait-for-page.js';
import { Place } from '../../../child-process/place.js';
import { test, type TaskLog } from './task-log.js';

const CAPS = fileURLToPath(new URL('fixtures/caps.mjs', import.meta.url));
const CAP_BYTES = 200_000;
const NOBODY = { root: undefined, token: 'nobody' };

test('a log below its share of the cap is left alone', ({ log }) => {
  log.append('x'.repeat(CAP_BYTES / 2));
  expect(capLog(log.folder, CAP_BYTES, NOBODY)).toBe(false);
  log.append('x');
  expect(capLog(log.folder, CAP_BYTES, NOBODY)).toBe(true);
  expect(capLog({ ...log.folder, log: `${log.folder.path}/none` }, CAP_BYTES, NOBODY)).toBe(false);
});

test('after each look the log takes less than the cap, whatever was written before', ({ log }) => {
  for (let writes = 1; writes < 25; writes += 1) {
    log.append(`${'x'.repeat(99)}\n`.repeat(writes * 100));
    capLog(log.folder, CAP_BYTES, NOBODY);
    expect(log.sizeBytes()).toBeLessThanOrEqual(CAP_BYTES + 100);
  }
});

test.skipIf(process.platform === 'win32')(
  'whoever follows a log that is capped misses nothing without being told',
  async ({ log }) => {
    const place = new Place();
    onTestFinished(() => place.clear());
    const lines = 100_000;
    const run = place.run(
      `until [ -e go ]; do sleep 0.01; done; "$node" "$fixtures/counts.mjs" a ${lines} & setsid "$node" "$fixtures/counts.mjs" b ${lines} & wait`,
      { logPath: log.folder.log },
    );
    const cap = spawn(process.execPath, [CAPS, log.folder.path, String(CAP_BYTES), JSON.stringify(run)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    cap.stdout.once('data', () => place.write('go', ''));
    let isEnded = false;
    const ended = once(cap, 'close').then(([code]) => {
      isEnded = true;
      expect(code).toBe(0);
    });

    const { pieces, droppedBytes, totalBytes } = await follow(log, () => isEnded);
    await ended;

    const wholeBytes = 2 * Array.from({ length: lines }, (_, number) => `a ${number}\n`).join('').length;
    expect(totalBytes).toBe(wholeBytes);
    expect(pieces.join('').length + droppedBytes).toBe(wholeBytes);
    // In a piece without a gap no line is missing, doubled or broken.
    for (const piece of pieces) {
      for (const name of ['a', 'b']) {
        const numbers = [...piece.matchAll(new RegExp(`^${name} (\\d+)\\n`, 'gm'))].map(([, number]) =>
          Number(number),
        );
        const first = numbers[0] ?? 0;
        expect(numbers.every((number, index) => number === first + index)).toBe(true);
      }
      expect(/^(?:[ab] \d+\n)*$/.test(piece)).toBe(true);
    }
    expect(log.sizeBytes()).toBeLessThanOrEqual(CAP_BYTES + 100);
  },
);

interface Followed {
  /** Output without a gap each. */
  readonly pieces: string[];
  readonly droppedBytes: number;
  readonly totalBytes: number;
}

async function follow(log: TaskLog, isEnded: () => boolean): Promise<Followed> {
  const pieces = [''];
  let offsetBytes = 0;
  let droppedBytes = 0;
  for (;;) {
    const page = await waitForPage(log.folder, { offsetBytes, maxBytes: 30_000, waitMs: 45_000 }, isEnded);
    droppedBytes += page.truncatedBytes;
    if (page.truncatedBytes > 0) pieces.push('');
    pieces[pieces.length - 1] += page.text;
    if (page.text === '' && isEnded()) return { pieces, droppedBytes, totalBytes: page.totalBytes };
    offsetBytes = page.nextOffsetBytes;
  }
}
