import { expect, test } from 'vitest';

import { isTaskId, newTaskId } from '../../../packages/mcpify/src/tasks/task-id.js';

const NOW_MS = Date.parse('2026-12-02T12:00:00Z');

test('ids sort by time', () => {
  const times = [0, 100, 3_200, 86_400_000, 50 * 365 * 86_400_000];
  const ids = times.map((later) => newTaskId(NOW_MS + later));
  expect([...ids].sort()).toEqual(ids);
});

test('ids of one moment differ in 125 bits (K26)', () => {
  const ids = Array.from({ length: 1_000 }, () => newTaskId(NOW_MS));
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(1);
  expect(new Set(ids.map((id) => id.slice(8))).size).toBe(1_000);
  for (const id of ids) expect(id).toMatch(/^t[0-9a-hjkmnp-tv-z]{32}$/);
});

test('an id before the first one is one, too', () => {
  expect(isTaskId(newTaskId(0))).toBe(true);
});

test.each([
  '',
  't',
  'open',
  '../../etc/passwd',
  `${newTaskId()}/..`,
  newTaskId().toUpperCase(),
  `${newTaskId()}\n`,
])('%j is none', (text) => {
  expect(isTaskId(text)).toBe(false);
});
