import { expect, test } from 'vitest';

import { nearestNames } from '../../../packages/mcpify/src/schema/nearest-names.js';

test.each([
  ['dryrun', ['dryRun'], 'dryRun'],
  ['dry_run', ['dryRun'], 'dryRun'],
  ['verbsoe', ['verbose'], 'verbose'],
  ['nme', ['name'], 'name'],
  ['dir', ['outputDir'], 'outputDir'],
  ['outputdir', ['output'], 'output'],
  ['start_run', ['run'], 'run'],
  ['colour', ['color'], 'color'],
  ['region', ['région'], 'région'],
])('%j may be meant as one of %j', (wrong, known, nearest) => {
  expect(nearestNames(wrong, known)).toEqual([nearest]);
});

test.each([
  ['x', ['y', 'p']],
  ['to', ['no', 'id']],
  ['force', ['e', 'or', 'f']],
  ['truncate', ['run']],
  ['import', ['export']],
  ['名前', ['a', 'option']],
  ['', ['a']],
])('%j is near to none of %j', (wrong, known) => {
  expect(nearestNames(wrong, known)).toEqual([]);
});

test('the best come first, three at most', () => {
  expect(nearestNames('name', ['names', 'fileName', 'name', 'nam', 'title'])).toEqual([
    'name',
    'names',
    'fileName',
  ]);
});
