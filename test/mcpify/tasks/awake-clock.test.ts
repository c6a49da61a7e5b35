import { expect, test } from 'vitest';

import { AwakeClock } from '../../../packages/mcpify/src/tasks/supervisor/awake-clock.js';

test('counts the time that the machine is awake: a sleep counts as 2 s at most', () => {
  let nowMs = 1_000;
  const clock = new AwakeClock(() => nowMs);
  const pass = (ms: number) => {
    nowMs += ms;
    clock.tick();
    return clock.elapsedMs;
  };

  expect(pass(100)).toBe(100);
  expect(pass(1_900)).toBe(2_000);
  expect(pass(8 * 3_600_000)).toBe(4_000);
  expect(pass(100)).toBe(4_100);
  // A clock that was set back takes nothing away.
  expect(pass(-50_000)).toBe(4_100);
  expect(pass(100)).toBe(4_200);
});
