import { writeFileSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, vi } from 'vitest';

import { waitForPage } from '../../../../packages/mcpify/src/tasks/output/wait-for-page.js';
import { waitUntil } from '../../../../packages/mcpify/src/tasks/output/wait-until.js';
import { test } from './task-log.js';

const NEVER_ENDED = () => false;

beforeEach(() => {
  // The time stands still, so that an event alone can end a wait; each test moves it when it means to.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});

afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('a wait for output', () => {
  test('ends with the first output behind the offset', async ({ log }) => {
    log.append('one\n');
    const page = waitForPage(log.folder, { offsetBytes: 4, maxBytes: 100, waitMs: 45_000 }, NEVER_ENDED);
    log.append('two\n');
    expect(await page).toMatchObject({ text: 'two\n', offsetBytes: 4, nextOffsetBytes: 8 });
  });

  test('is none where there is some already', async ({ log }) => {
    log.append('one\n');
    const query = { offsetBytes: 0, maxBytes: 100, waitMs: 45_000 };
    expect(await waitForPage(log.folder, query, NEVER_ENDED)).toMatchObject({ text: 'one\n' });
    expect(await waitForPage(log.folder, { maxBytes: 2, waitMs: 45_000 }, NEVER_ENDED)).toMatchObject({
      text: 'on',
    });
  });

  test('for a tail, ends with the next output', async ({ log }) => {
    log.append('one\ntwo\n');
    const query = { tailLines: 2, maxBytes: 100, waitMs: 45_000 };
    const page = waitForPage(log.folder, query, NEVER_ENDED);
    log.append('three\n');
    expect(await page).toMatchObject({ text: 'two\nthree\n' });
  });

  test('goes on over half of a character', async ({ log }) => {
    const sign = Buffer.from('😀');
    const query = { offsetBytes: 0, maxBytes: 100, waitMs: 45_000 };
    const page = waitForPage(log.folder, query, NEVER_ENDED);
    log.append(sign.subarray(0, 3));
    await vi.advanceTimersByTimeAsync(1_000);
    log.append(sign.subarray(3));
    expect(await page).toMatchObject({ text: '😀' });
  });

  test('ends with the task, and tells the rest of a character that is broken off', async ({ log }) => {
    let isEnded = false;
    log.append(Buffer.from('😀').subarray(0, 3));
    const query = { offsetBytes: 0, maxBytes: 100, waitMs: 45_000 };
    const page = waitForPage(log.folder, query, () => isEnded);
    isEnded = true;
    writeFileSync(log.folder.exit, '{}');
    expect(await page).toMatchObject({ text: '\ufffd', nextOffsetBytes: 3 });
  });

  test.for([
    ['the time asked for', 700, 700],
    ['45 s, whatever was asked for', 3_600_000, 45_000],
  ] as const)('lasts %s', async ([, waitMs, longestMs], { log }) => {
    let isOver = false;
    const page = waitForPage(log.folder, { offsetBytes: 0, maxBytes: 100, waitMs }, NEVER_ENDED);
    void page.then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(longestMs - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await page).toMatchObject({ text: '', offsetBytes: 0, nextOffsetBytes: 0 });
  });

  test('is ended by its caller', async ({ log }) => {
    const controller = new AbortController();
    const query = { offsetBytes: 0, maxBytes: 100, waitMs: 45_000 };
    const page = waitForPage(log.folder, query, NEVER_ENDED, controller.signal);
    controller.abort();
    expect(await page).toMatchObject({ text: '' });
    expect(await waitForPage(log.folder, query, NEVER_ENDED, controller.signal)).toMatchObject({ text: '' });
  });
});

describe('a wait for something in the folder', () => {
  test('looks ever more seldom where no event tells: at first four times a second', async ({ log }) => {
    let looks = 0;
    let isReached = false;
    const reached = waitUntil(
      log.folder.path,
      () => {
        looks += 1;
        return isReached;
      },
      { waitMs: 45_000 },
    );
    looks = 0;
    await vi.advanceTimersByTimeAsync(250);
    expect(looks).toBe(1);
    await vi.advanceTimersByTimeAsync(35_000);
    expect(looks).toBeLessThan(15);
    isReached = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await reached).toBe(true);
  });

  test('looks once more when the watch has begun', async ({ log }) => {
    let looks = 0;
    const isReached = () => ++looks === 2;
    expect(await waitUntil(log.folder.path, isReached, { waitMs: 45_000 })).toBe(true);
  });

  test('looks more often where nothing can be watched', async ({ log }) => {
    let isReached = false;
    const path = `${log.folder.path}/not-there`;
    const reached = waitUntil(path, () => isReached, { waitMs: 45_000 });
    isReached = true;
    await vi.advanceTimersByTimeAsync(25);
    expect(await reached).toBe(true);
  });

  test('does not look because of other files', async ({ log }) => {
    let looks = 0;
    let isReached = false;
    const reached = waitUntil(
      log.folder.path,
      () => {
        looks += 1;
        return isReached;
      },
      { waitMs: 45_000, files: ['exit.json'] },
    );
    const looksBefore = looks;
    const query = { offsetBytes: 0, maxBytes: 100, waitMs: 45_000 };
    const page = waitForPage(log.folder, query, NEVER_ENDED);
    log.append('line\n');
    await page;
    await new Promise(setImmediate);
    expect(looks).toBe(looksBefore);
    isReached = true;
    writeFileSync(log.folder.exit, '');
    expect(await reached).toBe(true);
  });

  test('fails where looking does', async ({ log }) => {
    let looks = 0;
    const reached = waitUntil(
      log.folder.path,
      () => {
        looks += 1;
        if (looks > 2) throw new Error('no disk');
        return false;
      },
      { waitMs: 45_000 },
    );
    log.append('line\n');
    await expect(reached).rejects.toThrow('no disk');
  });
});
