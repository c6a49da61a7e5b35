import { startMcpServer } from 'mcpify';

await startMcpServer(() => import('./marked.mjs'), {
  ...(process.env.BENCH_UNLIMITED === '1' && { outputBudgetBytes: Infinity }),
  ...(process.env.BENCH_NO_CONTROLS === '1' && {
    controlParams: { debug: false, nocache: false, session: false },
  }),
});
