import { afterAll, beforeAll, expect, test } from 'vitest';

import { BackendProcess } from './faults/backend-process.js';
import { runRounds } from './faults/run-rounds.js';

/* The same rounds run 200 times in test/full, and 2,000 times by scripts/fault-rounds.mjs. */

let others: BackendProcess[] = [];

beforeAll(async () => {
  others = await Promise.all([BackendProcess.start(), BackendProcess.start()]);
});
afterAll(() => Promise.all(others.map((other) => other.kill())));

test(
  'whoever is killed at whatever moment: nothing is lost, wrong, left alive or touched',
  { timeout: 240_000 },
  async () => {
    const { failures } = await runRounds({ rounds: 16, width: 4 }, others);
    expect(failures, failures.join('\n')).toEqual([]);
  },
);
