import { expect, test } from 'vitest';

import { membersOf, textOf } from './source-text.js';
import { expectTests, rowsOf } from './table-of-tests.js';

/** How many numbered rules each part has; 0: the part is one rule by itself. */
const COUNTS = {
  B: [7, 4, 7, 7, 3, 1, 4, 6, 0, 0],
  A: [9, 7, 9, 20, 4, 6, 11, 8, 4, 11, 4, 5, 2, 8],
};
const IDS = Object.entries(COUNTS).flatMap(([letter, counts]) =>
  counts.flatMap((count, part) =>
    count === 0
      ? [`${letter}${part + 1}`]
      : Array.from({ length: count }, (_, at) => `${letter}${part + 1}.${at + 1}`),
  ),
);

const rows = rowsOf('docs/parity.md', /[AB]\d[\w.]*|`[\w.]+`/);
const isSetting = (id: string) => id.startsWith('`');

test('every rule has one row, in order', () => {
  expect(rows.map(([id]) => id).filter((id) => !isSetting(id))).toEqual(IDS);
});

test('every setting has one row', () => {
  const options = 'packages/mcpify/src/options';
  const settings = [
    ...membersOf(`${options}/mcp-options.ts`, 'McpOptions'),
    ...membersOf(`${options}/task-options.ts`, 'TaskOptions').map((name) => `tasks.${name}`),
  ];
  expect(settings.length).toBeGreaterThan(25);
  const told = rows.map(([id]) => id).filter(isSetting);
  expect(told.toSorted()).toEqual(settings.map((name) => `\`${name}\``).toSorted());
});

test.each(rows)('%s: %s', (_id, what, tests) => {
  expect(what).not.toBe('');
  expectTests(tests);
});

test('whoever comes from the model project finds each of its features', () => {
  const features = textOf('docs/coming-from-autumn.md')
    .split('\n')
    .flatMap((line) => {
      const [, id, there, here] = /^\| (A[\d.]+) *\|([^|]*)\|([^|]*)\|$/.exec(line) ?? [];
      return id === undefined || !there?.trim() || !here?.trim() ? [] : [id];
    });
  expect(features).toEqual(IDS.filter((id) => id.startsWith('A')));
});
