import { fileURLToPath } from 'node:url';

import { startMcpServer } from 'mcpify';

await startMcpServer(() => import('./task-program.mjs'), {
  cliEntry: fileURLToPath(new URL('task-cli.mjs', import.meta.url)),
  stateDir: process.env.BENCH_STATE_DIR,
  tasks: { maxFinished: 100_000, maxTotalBytes: 2 ** 40, logCapBytes: 2 ** 32 },
});
