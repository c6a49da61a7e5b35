import { expect, test } from 'vitest';

import { toFinalText } from '../../../packages/mcpify/src/result/to-final-text.js';

test.each<[string, string, string]>([
  ['plain text stays', 'a\nb\n', 'a\nb\n'],
  ['colours go', '\u001b[31mred\u001b[39m text', 'red text'],
  ['hyperlinks keep their text', '\u001b]8;;http://a\u0007link\u001b]8;;\u0007', 'link'],
  ['CRLF is a line end', 'a\r\nb\r\n', 'a\nb\n'],
  ['a progress bar is as it was last', '10%\r50%\r100%\ndone\n', '100%\ndone\n'],
  ['a shorter text leaves the rest of the longer one', 'loading\rok', 'okading'],
  ['a line that is erased first is new', 'loading\r\u001b[Kok', 'ok'],
  [
    'a spinner that clears its line',
    '\u001b[1G\u001b[2K- a\u001b[1G\u001b[2K\\ a\u001b[1G\u001b[2Kdone\n',
    'done\n',
  ],
  ['lines that are drawn over again', 'a 1\nb 1\n\u001b[2A\u001b[Ja 2\nb 2\n', 'a 2\nb 2\n'],
  ['a backspace', 'ab\bc', 'ac'],
  ['bells and cut sequences go', 'a\u0007b\u001b', 'ab'],
  ['tabs and newlines stay', '\u001b[1ma\tb\u001b[0m\n\n', 'a\tb\n\n'],
])('%s', (_case, text, wanted) => {
  expect(toFinalText(text)).toBe(wanted);
});

test('a big text without control characters is the same string', () => {
  const text = 'line\n'.repeat(100_000);
  expect(toFinalText(text)).toBe(text);
});

test('hostile cursor movement stays bounded', () => {
  expect(toFinalText('\u001b[999999999Ca\u001b[999999999Bb\u001b[999999999Ac').length).toBeLessThan(3_000);
});
