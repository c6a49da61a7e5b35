import { afterAll, beforeAll, expect, test } from 'vitest';

import { BackendProcess } from '../tasks/faults/backend-process.js';
import { runRounds } from '../tasks/faults/run-rounds.js';

/* `scripts/fault-rounds.mjs` sets these. */
const ROUNDS = Number(process.env['MCPIFY_FAULT_ROUNDS'] ?? 240);
const SEED = process.env['MCPIFY_FAULT_SEED'];

let others: BackendProcess[] = [];

beforeAll(async () => {
  others = await Promise.all([BackendProcess.start(), BackendProcess.start()]);
});
afterAll(() => Promise.all(others.map((other) => other.kill())));

test(
  `${ROUNDS} rounds: whoever is killed at whatever moment, nothing is lost, wrong, left alive or touched`,
  { timeout: 0 },
  async () => {
    const { failures, killed, ends } = await runRounds(
      { rounds: ROUNDS, width: 6, ...(SEED !== undefined && { seed: Number(SEED) }) },
      others,
    );
    console.log(JSON.stringify({ killed, ends }, null, 2));
    expect(failures, failures.join('\n')).toEqual([]);
    if (ROUNDS < 200) return;
    // Rounds in which nobody was there to be killed prove nothing.
    for (const count of Object.values(killed)) expect(count).toBeGreaterThan(ROUNDS / 10);
    expect(Object.keys(ends)).toEqual(
      expect.arrayContaining([
        'completed supervisor',
        'completed witness',
        'failed supervisor',
        'failed witness',
        'failed lost none',
        'cancelled supervisor',
        'timeout supervisor',
      ]),
    );
  },
);
