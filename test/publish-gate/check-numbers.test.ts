import { describe, expect, test } from 'vitest';

import { checkNumbers } from '../../examples/publish-gate/src/check-numbers.js';
import { toReport } from '../../examples/publish-gate/src/finding.js';

const report = (draft: string, facts: string) => toReport(checkNumbers(draft, facts));

test('a draft whose numbers are all in the facts passes', () => {
  expect(report('We sold 1,200 in 2026, 40 % more.', 'sold;1200\nyear;2026\ngrowth;40%')).toBe('PASS');
});

test('each number that is missing is named once, with all its lines', () => {
  expect(report('5 of 7\n\n5 again, and 5\n-5', '7')).toBe(
    'FAIL (2)\nlines 1, 3: 5 is not in the facts\nline 4: -5 is not in the facts',
  );
});

test('a percentage is not the plain number', () => {
  expect(report('40%', '40')).toBe('FAIL (1)\nline 1: 40% is not in the facts');
  expect(report('40', '40%')).toBe('FAIL (1)\nline 1: 40 is not in the facts');
});

test('facts without a number support none; a draft without a number needs none', () => {
  expect(report('1', '')).toBe('FAIL (1)\nline 1: 1 is not in the facts');
  expect(report('No claims.', '')).toBe('PASS');
});

test('a date in the facts stands for its year, not for its month', () => {
  expect(report('In 2026.', 'released 2026-03-14')).toBe('PASS');
  expect(report('On 2026-03-14.', 'at 2026-03-14T10:00:00Z')).toBe('PASS');
  expect(report('In month 03.', 'released 2026-03-14')).toBe('FAIL (1)\nline 1: 03 is not in the facts');
});

describe('not looked at in a draft', () => {
  test.each([
    ['fenced code', 'a\n```js\nconst x = 5;\n```\nb'],
    ['fenced code that is never closed', '~~~\n5\n```\n6'],
    ['an inner fence', '````\n```\n5\n```\n6\n````'],
    ['link targets', '[a](https://x.example/5?n=6) https://x.example/7 <https://x.example/8>'],
    ['relative link targets', '[a](../notes-5.md) ![b](images/6.png "t")'],
    ['reference definitions', '[a][b]\n\n[b]: /page/5'],
    ['list numbers', 'Steps\n\n1. a\n2. b\n   c\n3) d\n\n4. e'],
    ['a list behind a line of text', 'Steps:\n1. a\n2. b'],
    ['CRLF lines', 'Steps\r\n\r\n1. a\r\n2. b\r\n```\r\n5\r\n```\r\n'],
  ])('%s', (_what, draft) => {
    expect(report(draft, '')).toBe('PASS');
  });
});

describe('looked at in a draft', () => {
  test.each([
    ['inline code', 'runs in `5` ms', 1],
    ['text behind a fence', '```\n1\n```\n5', 4],
    ['link text', '[5 days](https://x.example/1)', 1],
    ['text behind a link', 'https://x.example/1, 5', 1],
    ['headings', '# 5 reasons', 1],
    ['a wrapped line that begins with a number', 'It grew by\n5. Then it shrank.', 2],
    ['a paragraph behind a list', '1. a\n\nIt grew by\n5. Then.', 4],
    ['text of a list item', '1. takes 5 s', 1],
  ])('%s', (_what, draft, line) => {
    expect(report(draft, '')).toBe(`FAIL (1)\nline ${line}: 5 is not in the facts`);
  });
});
