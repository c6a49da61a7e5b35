import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { writeOnce } from '../../../packages/mcpify/src/tasks/write-record.js';

/** What the system says to a hard link; undefined: it makes one. */
let refusal: string | undefined;

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof files>();
  const link: typeof real.link = async (...paths) => {
    if (refusal !== undefined) throw Object.assign(new Error(refusal), { code: refusal });
    await real.link(...paths);
  };
  return { ...real, link };
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpify-records-'));
});
afterEach(() => {
  refusal = undefined;
  rmSync(folder, { recursive: true });
});

const WRITERS = Array.from({ length: 50 }, (_, writer) => writer);

describe.each([undefined, 'EPERM', 'ENOTSUP'])('where a hard link says %s', (code) => {
  test('one of many writers at once is the first, and its record stays', async () => {
    refusal = code;
    const path = join(folder, 'exit.json');

    const isFirst = await Promise.all(WRITERS.map((writer) => writeOnce(path, { writer })));

    expect(isFirst.filter(Boolean)).toHaveLength(1);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ writer: isFirst.indexOf(true) });
    expect(await writeOnce(path, { writer: 'late' })).toBe(false);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ writer: isFirst.indexOf(true) });
    // Nothing that is unfinished is left.
    expect(readdirSync(folder)).toEqual(['exit.json']);
  });
});

test('what else the system says is told, and nothing is left', async () => {
  refusal = 'ENOSPC';

  await expect(writeOnce(join(folder, 'exit.json'), {})).rejects.toThrow('ENOSPC');

  expect(readdirSync(folder)).toEqual([]);
});
