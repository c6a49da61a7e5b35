import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { REPOSITORY } from '../wire/connect.js';
import { textOf } from './source-text.js';
import { expectTests, rowsOf } from './table-of-tests.js';

const RULES = 40;
const rows = rowsOf('docs/protocol.md', /P\d+/);

test('every rule has one row, in order', () => {
  expect(rows.map(([rule]) => rule)).toEqual(Array.from({ length: RULES }, (_, at) => `P${at + 1}`));
});

test.each(rows)('%s: %s', (rule, what, tests) => {
  expect(what).not.toBe('');
  expectTests(tests, rule);
});

test('every title of these tests stands in the rows of its rules', () => {
  const folder = 'test/protocol';
  const files = readdirSync(join(REPOSITORY, folder)).filter((name) => name.endsWith('.test.ts'));
  const titled = files.flatMap((name) =>
    [...textOf(`${folder}/${name}`).matchAll(/'((?:P\d+(?:, )?)+): (.+)',/g)].flatMap(([, rules, title]) =>
      rules!.split(', ').map((rule) => [rule, title!] as const),
    ),
  );
  expect(titled.length).toBeGreaterThan(50);
  const missing = titled.filter(([rule, title]) => {
    const [, , tests] = rows.find(([id]) => id === rule) ?? [];
    return !tests?.includes(`\`${title}\``);
  });
  expect(missing).toEqual([]);
});
