import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect } from 'vitest';

import { cutLog, settleCut } from '../../../../packages/mcpify/src/tasks/output/cut-log.js';
import { withLog } from '../../../../packages/mcpify/src/tasks/output/log-files.js';
import { test, type TaskLog } from './task-log.js';

const CUTS_ON_FULL_DISK = fileURLToPath(new URL('fixtures/cuts-on-full-disk.mjs', import.meta.url));

test('a cut keeps the end, from a line on, and takes the place of the cut before', ({ log }) => {
  log.append('one\ntwo\n');
  cutLog(log.folder, 100);
  expect(log.read()).toMatchObject({ text: 'one\ntwo\n', totalBytes: 8, truncatedBytes: 0 });
  log.append('three\nfour\n');
  expect(log.read().text).toBe('one\ntwo\nthree\nfour\n');
  cutLog(log.folder, 7);
  expect(log.read()).toMatchObject({ text: 'four\n', offsetBytes: 14, totalBytes: 19 });
  expect(statSync(log.folder.log).size).toBe(0);
});

test('a line that is too long is cut at a character', ({ log }) => {
  log.append(`${'€'.repeat(30_000)}\n`);
  cutLog(log.folder, 80_000);
  expect(log.read().text).toBe(`${'€'.repeat(26_666)}\n`);
});

test('an empty log is not cut: what was kept stays', ({ log }) => {
  log.append('one\n');
  cutLog(log.folder, 100);
  cutLog(log.folder, 100);
  expect(log.read().text).toBe('one\n');
});

test('what it writes is for the owner alone, whatever the umask is', ({ log }) => {
  log.append('one\n');
  const umask = process.umask(0o777);
  try {
    cutLog(log.folder, 100);
  } finally {
    process.umask(umask);
  }
  for (const path of [log.folder.logPrev, log.folder.logBase]) {
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
});

describe('a cut whose maker is killed', () => {
  /** The files before and after the second cut of a log, as they were. */
  function cutTwice(log: TaskLog): { restore: (name: 'log' | 'logPrev' | 'logBase') => void } {
    const { folder } = log;
    log.append('one\ntwo\n');
    cutLog(folder, 100);
    log.append('three\nfour\nfive\n');
    const saved = `${folder.path}.saved`;
    cpSync(folder.path, saved, { recursive: true });
    cutLog(folder, 11);
    return {
      restore: (name) => {
        const path = folder[name].replace(folder.path, saved);
        renameSync(path, folder[name]);
      },
    };
  }

  const whole = 'one\ntwo\nthree\nfour\nfive\n';
  const kept = 'four\nfive\n';

  test.for<[moment: string, make: (log: TaskLog) => void, text: string]>([
    [
      'before the copy is there',
      (log) => {
        const { restore } = cutTwice(log);
        for (const name of ['log', 'logBase'] as const) restore(name);
        renameSync(log.folder.logPrev, `${log.folder.logPrev}.new`);
        writeFileSync(`${log.folder.logBase}.new`, '24');
      },
      whole.slice(8),
    ],
    [
      'before the log is emptied',
      (log) => {
        const { restore } = cutTwice(log);
        for (const name of ['log', 'logBase'] as const) restore(name);
      },
      whole.slice(8),
    ],
    ['when the log is empty', (log) => cutTwice(log).restore('logBase'), kept],
    ['at the end', (log) => void cutTwice(log), kept],
  ])('%s', ([, make, text], { log }) => {
    make(log);
    expect(log.read()).toMatchObject({ text, totalBytes: whole.length });

    settleCut(log.folder);
    expect(log.read()).toMatchObject({ text, totalBytes: whole.length });

    // More than the cut took: its size does not tell any more which half was done.
    log.append('six\n'.repeat(100));
    expect(log.read()).toMatchObject({ text: text + 'six\n'.repeat(100) });
    cutLog(log.folder, 4);
    expect(log.read()).toMatchObject({ text: 'six\n', totalBytes: whole.length + 400 });
  });
});

test('the next cut ends one whose maker was killed', ({ log }) => {
  const { folder } = log;
  log.append('one\ntwo\n');
  cutLog(folder, 100);
  rmSync(folder.logBase);
  log.append('three\n');
  cutLog(folder, 100);
  expect(log.read()).toMatchObject({ text: 'three\n', offsetBytes: 8, totalBytes: 14 });
});

test('a reader looks again where a cut came between', ({ log }) => {
  log.append('one\ntwo\n');
  let looks = 0;
  const text = withLog(log.folder, (open) => {
    looks += 1;
    if (looks === 1) {
      cutLog(log.folder, 4);
      log.append('six\nsix\n');
    }
    return open.read(open.keptStart, open.totalBytes).toString();
  });
  expect({ text, looks }).toEqual({ text: 'two\nsix\nsix\n', looks: 2 });
});

test.skipIf(process.platform === 'win32')(
  'a disk without room for the copy: the log is cut all the same',
  ({ log }) => {
    const line = 'x'.repeat(99) + '\n';
    log.append(line.repeat(10_000));
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', 'ulimit -f 8; exec "$@"', 'sh', process.execPath, CUTS_ON_FULL_DISK, log.folder.path],
      { encoding: 'utf8' },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(statSync(log.folder.log).size).toBe(0);
    expect(log.read()).toMatchObject({ text: '', totalBytes: 1_000_000, truncatedBytes: 1_000_000 });
    log.append('more\n');
    expect(log.read({ offsetBytes: 1_000_000 })).toMatchObject({ text: 'more\n', truncatedBytes: 0 });
    expect(existsSync(`${log.folder.logPrev}.new`)).toBe(false);
  },
);
