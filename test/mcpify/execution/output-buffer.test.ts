import { expect, test } from 'vitest';

import { OutputBuffer } from '../../../packages/mcpify/src/execution/output-buffer.js';

test('keeps everything within the budget, in the order of writing over both streams', () => {
  const buffer = new OutputBuffer(100);
  buffer.write('stdout', 'one ');
  buffer.write('stdout', 'two\n');
  buffer.write('stderr', 'oh\n');
  buffer.write('stdout', 'three\n');
  expect(buffer.finish()).toEqual({
    segments: [
      { stream: 'stdout', text: 'one two\n' },
      { stream: 'stderr', text: 'oh\n' },
      { stream: 'stdout', text: 'three\n' },
    ],
    totalBytes: 17,
    omittedBytes: 0,
  });
});

test('keeps head and tail beyond the budget and says how much lies between', () => {
  const buffer = new OutputBuffer(10);
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') buffer.write('stdout', letter);
  expect(buffer.finish()).toEqual({
    segments: [
      { stream: 'stdout', text: 'abcde' },
      { stream: 'stdout', text: 'vwxyz', omittedBefore: true },
    ],
    totalBytes: 26,
    omittedBytes: 16,
  });
});

test('the tail spans both streams', () => {
  const buffer = new OutputBuffer(8);
  buffer.write('stdout', '0123456789');
  buffer.write('stderr', 'ab');
  buffer.write('stdout', 'cd');
  expect(buffer.finish().segments).toEqual([
    { stream: 'stdout', text: '0123' },
    { stream: 'stderr', text: 'ab', omittedBefore: true },
    { stream: 'stdout', text: 'cd' },
  ]);
});

test('one write that is bigger than the budget is cut like many', () => {
  const buffer = new OutputBuffer(6);
  buffer.write('stdout', 'abcdefghij');
  expect(buffer.finish()).toEqual({
    segments: [
      { stream: 'stdout', text: 'abc' },
      { stream: 'stdout', text: 'hij', omittedBefore: true },
    ],
    totalBytes: 10,
    omittedBytes: 4,
  });
});

test('cuts between characters only: none is halved, none replaced', () => {
  for (let budget = 1; budget <= 24; budget += 1) {
    const buffer = new OutputBuffer(budget);
    const text = 'aé漢😀bß字🎉c';
    for (const part of [text, text]) buffer.write('stdout', part);
    const { segments, totalBytes, omittedBytes } = buffer.finish();
    const kept = segments.map((segment) => segment.text).join('');
    expect(kept).not.toContain('\ufffd');
    expect(kept).not.toMatch(/\p{Surrogate}/u);
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(budget);
    expect(Buffer.byteLength(kept) + omittedBytes).toBe(totalBytes);
    const cut = segments.findIndex((segment) => segment.omittedBefore);
    const joined = (part: typeof segments) => part.map((segment) => segment.text).join('');
    const [head, tail] = cut < 0 ? [kept, ''] : [joined(segments.slice(0, cut)), joined(segments.slice(cut))];
    expect((text + text).startsWith(head)).toBe(true);
    expect((text + text).endsWith(tail)).toBe(true);
  }
});

test('nothing overtakes a character that did not fit into the head', () => {
  const buffer = new OutputBuffer(6);
  buffer.write('stdout', 'ab');
  buffer.write('stdout', '漢');
  buffer.write('stdout', 'cd');
  const { segments } = buffer.finish();
  expect(segments.map(({ text }) => text).join('')).toBe('abcd');
  expect(segments.map(({ text }) => text)).toEqual(['ab', 'cd']);
});

test('a character that comes byte by byte is put together, for each stream by itself', () => {
  const buffer = new OutputBuffer(100);
  const bytes = Buffer.from('漢😀');
  for (const byte of bytes) {
    buffer.write('stdout', Uint8Array.of(byte));
    buffer.write('stderr', Uint8Array.of(byte));
  }
  const { segments } = buffer.finish();
  const of = (stream: string) =>
    segments
      .filter((each) => each.stream === stream)
      .map(({ text }) => text)
      .join('');
  expect(of('stdout')).toBe('漢😀');
  expect(of('stderr')).toBe('漢😀');
});

test('a character that never becomes complete is U+FFFD', () => {
  const buffer = new OutputBuffer(100);
  buffer.write('stdout', Buffer.concat([Buffer.from('ok'), Buffer.from('😀').subarray(0, 2)]));
  expect(buffer.finish()).toEqual({
    segments: [{ stream: 'stdout', text: 'ok\uFFFD' }],
    totalBytes: 5,
    omittedBytes: 0,
  });
});

test('an endless stream of small writes stays within the budget', () => {
  const buffer = new OutputBuffer(10_000);
  for (let line = 0; line < 100_000; line += 1)
    buffer.write(line % 2 ? 'stdout' : 'stderr', `line ${line}\n`);
  const { segments, totalBytes, omittedBytes } = buffer.finish();
  const keptBytes = segments.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  expect(keptBytes).toBeLessThanOrEqual(10_000);
  expect(keptBytes).toBeGreaterThan(9_980);
  expect(keptBytes + omittedBytes).toBe(totalBytes);
  expect(segments.at(-1)?.text).toBe('line 99999\n');
  expect(segments[0]?.text).toBe('line 0\n');
});

test('a budget of Infinity keeps all', () => {
  const buffer = new OutputBuffer(Infinity);
  const text = 'x'.repeat(5_000_000);
  buffer.write('stdout', text);
  buffer.write('stdout', 'end');
  expect(buffer.finish().segments[0]?.text.length).toBe(5_000_003);
});

test('a cut is marked also where nothing fits behind it', () => {
  const buffer = new OutputBuffer(2);
  buffer.write('stdout', 'a漢');
  expect(buffer.finish()).toEqual({
    segments: [
      { stream: 'stdout', text: 'a' },
      { stream: 'stdout', text: '', omittedBefore: true },
    ],
    totalBytes: 4,
    omittedBytes: 3,
  });
});
