import { expect, test } from 'vitest';

import { AwakeClock } from '../../packages/mcpify/src/tasks/supervisor/awake-clock.js';

test('a sleep of the machine counts as 2 s at most', () => {
  let nowMs = 0;
  const clock = new AwakeClock(() => nowMs);
  for (const stepMs of [100, 100, 3_600_000, 100]) {
    nowMs += stepMs;
    clock.tick();
  }
  expect(clock.elapsedMs).toBe(2_300);
});
