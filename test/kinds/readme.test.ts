import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const FOLDER = dirname(fileURLToPath(import.meta.url));

/** All but K32, start-up time: no test, but a measure (bench/). */
const KINDS = Array.from({ length: 33 }, (_, index) => index + 1).filter((kind) => kind !== 32);

/** Kinds whose home is the folder of the part that they are about. */
const ELSEWHERE = new Set(['K24', 'K27', 'K31', 'K33']);

const rows = readFileSync(join(FOLDER, 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| K\d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

const linksOf = (cell: string | undefined) =>
  [...(cell ?? '').matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);

const ownFile = (kind: string) => new RegExp(`^${kind.toLowerCase()}-[a-z-]+\\.test\\.ts$`);

test('every kind has a row, and a file of its own that is named after it', () => {
  expect(rows.map(([, kind]) => kind)).toEqual(KINDS.map((kind) => `K${String(kind).padStart(2, '0')}`));
  for (const [, kind, hold, own] of rows) {
    expect(hold).not.toBe('');
    const [file, ...more] = linksOf(own);
    expect(more).toEqual([]);
    const form = ELSEWHERE.has(kind!) ? /^\.\.\/[a-z-]+\/[a-z-]+\.test\.ts$/ : ownFile(kind!);
    expect(file).toMatch(form);
    expect(existsSync(join(FOLDER, file!))).toBe(true);
  }
});

test('every file of a kind is in the table', () => {
  const named = rows.flatMap(([, , , own]) => linksOf(own)).filter((file) => !file.startsWith('../'));
  expect(
    readdirSync(FOLDER)
      .filter((file) => /^k\d/.test(file))
      .toSorted(),
  ).toEqual(named.toSorted());
});

test('every further file that is named holds tests', () => {
  for (const [, kind, , , more] of rows) {
    const links = linksOf(more);
    expect(links, kind).not.toHaveLength(0);
    for (const link of links) expect(readFileSync(join(FOLDER, link), 'utf8')).toMatch(/\btest[.(]/);
  }
});
