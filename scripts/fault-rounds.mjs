/*
 * Kills servers, supervisors and commands of background tasks at random moments, and checks that nothing is lost, wrong,
 * left alive or touched (test/tasks/faults). A round that failed is told with its seed.
 *
 *   node scripts/fault-rounds.mjs [ROUNDS] [SEED]     2,000 rounds (about an hour), another seed each time
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [rounds = '2000', seed] = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.full.config.ts', 'fault-matrix'],
  {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: {
      ...process.env,
      MCPIFY_FAULT_ROUNDS: rounds,
      MCPIFY_REPORT: '.reports/fault-rounds.json',
      ...(seed !== undefined && { MCPIFY_FAULT_SEED: seed }),
    },
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
