import { describe, expect, test } from 'vitest';

import { findNumbers } from '../../examples/publish-gate/src/numbers.js';

const valuesOf = (text: string) => findNumbers(text).map(({ value }) => value);

describe('spellings of one number have one value', () => {
  test.each([
    [
      '1000',
      [
        '1000',
        '1,000',
        '1\u00a0000',
        '1\u202f000',
        '1\u2009000',
        '1 thousand',
        '1e3',
        '1.0 thousand',
        '１０００',
        '+1000',
      ],
    ],
    ['1250000', ['1,250,000', '1.25 million', '1.25-million', '1250000.0', '1.25e6']],
    ['0.5', ['0.5', '.5', '0.50', '00.5', '5e-1']],
    ['-3', ['-3', '−3', '-3.0']],
    ['25%', ['25%', '25 %', '25 percent', '25 per cent', '25.0%', '25％']],
    ['4.2.0', ['4.2.0', 'v4.2.0', 'V4.2.0']],
    ['0.1', ['0.1', '0.10']],
    ['9007199254740993', ['9007199254740993', '9,007,199,254,740,993']],
  ])('%s', (value, spellings) => {
    for (const spelling of spellings) expect.soft(valuesOf(`a ${spelling} b`), spelling).toEqual([value]);
  });
});

describe('what differs keeps apart', () => {
  test.each([
    ['25', '25%'],
    ['1.5', '15'],
    ['-3', '3'],
    ['2026-07-28', '2026-07-29'],
    ['10:30', '10:31'],
    ['1.2.3', '1.2.4'],
    ['9007199254740993', '9007199254740992'],
    ['1 million', '1 billion'],
  ])('%s and %s', (one, other) => {
    expect(valuesOf(one)).not.toEqual(valuesOf(other));
  });
});

describe('where a number ends', () => {
  test.each<[string, string[]]>([
    ['It took 3. Then 5, and (7).', ['3', '5', '7']],
    ['from 5-10 to 5–10', ['5', '10', '5', '10']],
    ['a drop of (-4) and x-4', ['-4', '4']],
    ['5ms, 3rd, 12px, $9, €8', ['5', '3', '12', '9', '8']],
    ['1,2,3', ['1', '2', '3']],
    ['12,3456', ['12', '3456']],
    ['5 percentage points', ['5']],
    ['on 2026-07-28T10:30:00Z.', ['2026-07-28t10:30:00z']],
    ['2026-07-28', ['2026-07-28']],
    ['16:9', ['16', '9']],
    ['127.0.0.1:8080', ['127.0.0.1', '8080']],
    ['1.2.3-beta.1', ['1.2.3-beta.1']],
    ['wait...5', ['5']],
    ['2 millions', ['2000000']],
  ])('%s', (text, values) => {
    expect(valuesOf(text)).toEqual(values);
  });
});

test.each(['sha256', 'utf8', 'H2O', 'x86_64', '3f9a1c2', '1920x1080', 'file.5', '_7'])(
  '%s is a name, not a number',
  (name) => {
    expect(valuesOf(`the ${name} here`)).toEqual([]);
  },
);

test('says what stands where', () => {
  expect(findNumbers('a\nb 1,000\n\n１.5\tmillion or 7  %')).toEqual([
    { written: '1,000', value: '1000', line: 2 },
    { written: '１.5', value: '1.5', line: 4 },
    { written: '7', value: '7', line: 4 },
  ]);
});

/* A pattern that goes back over what it read would take minutes here. */
test.each([
  ['1,111', 1],
  ['1.1', 1],
  ['1a', 0],
  ['a-1 ', 20_000],
  ['1 million ', 20_000],
  ['1,111,', 4_000],
])('reads a long row of %j', (piece, least) => {
  expect(findNumbers(piece.repeat(20_000)).length).toBeGreaterThanOrEqual(least);
});
