import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { useForStray } from '../../packages/mcpify/src/execution/stray-output.js';
import { loadProgram } from '../../packages/mcpify/src/start/load-program.js';
import { Command } from 'commander';

/* A program that waits for ever while it is loaded is no riddle: one line on stderr, and nothing else changes. */

let told = '';

beforeEach(() => {
  told = '';
  useForStray((bytes, _encoding, done) => {
    told += Buffer.from(bytes).toString();
    done();
  });
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

const NEVER = new Promise<never>(() => {});

test.each<[string, () => unknown, RegExp]>([
  ['a module', () => NEVER, /: what \(\) => NEVER imports has not settled\./],
  ['a factory', () => ({ program: () => NEVER }), /: what the exported function returns has not settled\./],
])('%s that never settles is told once, after five seconds', async (_what, load, message) => {
  void loadProgram(load);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(told).toBe('');
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toMatch(/^mcpify: the program is still loading after 5 s: [^\n]+\n$/);
  expect(told).toMatch(message);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(told.match(/\n/g)).toHaveLength(1);
});

test('one that is slow is loaded none the less, and one that fails is not told', async () => {
  const program = new Command('slow');
  let settle: (module: unknown) => void = () => {};
  const loading = loadProgram(() => new Promise((resolve) => (settle = resolve)));
  await vi.advanceTimersByTimeAsync(15_000);
  settle({ program });
  expect(await loading).toBe(program);
  told = '';
  await expect(loadProgram(() => Promise.reject(new Error('no licence')))).rejects.toThrow('no licence');
  await vi.advanceTimersByTimeAsync(15_000);
  expect(told).toBe('');
});
