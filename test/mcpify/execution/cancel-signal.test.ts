import { expect, test } from 'vitest';

import { Cancellation, toAbortSignal } from '../../../packages/mcpify/src/execution/cancel-signal.js';

test('listeners hear of a cancellation once, but those that were taken off', () => {
  const cancellation = new Cancellation();
  const heard: string[] = [];
  const [first, second, third] = ['first', 'second', 'third'].map((name) => () => void heard.push(name));
  for (const listener of [first, second, third]) cancellation.addEventListener('abort', listener!);
  cancellation.removeEventListener('abort', second!);
  cancellation.cancel();
  cancellation.cancel();
  expect(heard).toEqual(['first', 'third']);
  expect(cancellation.aborted).toBe(true);
});

test('the last listener that is taken off leaves none', () => {
  const cancellation = new Cancellation();
  const heard: string[] = [];
  const listener = () => void heard.push('heard');
  cancellation.addEventListener('abort', listener);
  const other = () => {};
  cancellation.removeEventListener('abort', other);
  cancellation.removeEventListener('abort', listener);
  cancellation.cancel();
  expect(heard).toEqual([]);
});

test.each(['before', 'after'])('a real signal that is asked for %s the cancellation is aborted', (when) => {
  const cancellation = new Cancellation();
  const early = when === 'before' ? toAbortSignal(cancellation) : undefined;
  expect(early?.aborted ?? false).toBe(false);
  cancellation.cancel();
  const signal = early ?? toAbortSignal(cancellation);
  expect(signal).toBeInstanceOf(AbortSignal);
  expect(signal.aborted).toBe(true);
  expect(toAbortSignal(cancellation)).toBe(signal);
});

test('an AbortSignal is one already', () => {
  const { signal } = new AbortController();
  expect(toAbortSignal(signal)).toBe(signal);
});
