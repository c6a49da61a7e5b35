import { expect, test } from 'vitest';

import { describeState } from '../../../packages/mcpify/src/tools/describe-task.js';
import type { Task } from '../../../packages/mcpify/src/tasks/task-backend.js';

const FAILED = {
  status: 'failed',
  attempt: 1,
  reason: 'lost',
  elapsedMs: 6_000,
} as Task;

test.each([
  ['Nobody saw how it ended.', 'failed (lost) after 6 s: Nobody saw how it ended'],
  ['no such program', 'failed (lost) after 6 s: no such program'],
])('the state is no sentence yet: whoever tells it sets the full stop, behind %j too', (message, state) => {
  expect(describeState({ ...FAILED, message })).toBe(state);
});
