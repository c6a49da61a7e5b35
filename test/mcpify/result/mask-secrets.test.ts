import { describe, expect, test } from 'vitest';

import { createMask, type SecretMask } from '../../../packages/mcpify/src/result/mask-secrets.js';

const mask = (...secrets: string[]) => createMask(secrets) as SecretMask;

/* K22 */

test('a secret is hidden as it is, as JSON and URLs write it, and as it is read in the end', () => {
  const hidden = mask('a "b"\u001b[1m/c');
  expect(hidden(String.raw`a "b"` + '\u001b[1m/c, ')).toBe('***, ');
  expect(hidden(JSON.stringify({ key: 'a "b"\u001b[1m/c' }))).toBe('{"key":"***"}');
  expect(hidden(`?key=${encodeURIComponent('a "b"\u001b[1m/c')}`)).toBe('?key=***');
  expect(hidden('a "b"/c')).toBe('***');
});

describe('one of several lines', () => {
  const key = '-----BEGIN KEY-----\r\n  c2VjcmV0IG9uZQ\r\nend\r\n-----END KEY-----\r\n';

  test('is hidden as a whole, whatever its line ends become', () => {
    expect(mask(key)(`<${key}>`)).toBe('<***>');
    expect(mask(key)(`<${key.replaceAll('\r\n', '\n')}>`)).toBe('<***>');
  });

  test('is hidden line by line', () => {
    expect(key.split('\r\n').map((line) => mask(key)(line))).toEqual(['***', '  ***', 'end', '***', '']);
  });

  test('is hidden without the line end that it was read with', () => {
    expect(mask('hunter2\n')('hunter2, hunter2\n')).toBe('***, ***');
  });
});

test('short words are none', () => {
  expect(createMask(['', 'yes', 'a\nb'])).toBeUndefined();
});

describe('a piece that was cut from a longer text', () => {
  const secret = mask('correct horse');

  test.each([
    ['rect horse, correct horse, corr', { start: true, end: true }, '***, ***, ***'],
    ['rect horse, correct horse, corr', { start: true }, '***, ***, corr'],
    ['rect horse, correct horse, corr', { end: true }, 'rect horse, ***, ***'],
    ['rse, co', { start: true, end: true }, 'rse, co'],
    ['', { start: true, end: true }, ''],
  ])('%j, %j', (text, isCut, shown) => {
    expect(secret.piece(text, isCut)).toBe(shown);
  });
});

test('a secret that goes across a place is found there, and no other', () => {
  const text = 'pin 12345678 and 12345678';
  const across = (place: number) => mask('12345678').across(text, place);
  expect(across(4)).toBe(4);
  expect(across(5)).toBe(12);
  expect(across(11)).toBe(12);
  expect(across(12)).toBe(12);
  expect(across(20)).toBe(25);
  expect(across(0)).toBe(0);
});
