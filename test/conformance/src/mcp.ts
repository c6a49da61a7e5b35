import { fileURLToPath } from 'node:url';

import { startMcpServer } from 'mcpify';
import { createEmbeddedBackend, type TaskBackend } from 'mcpify/tasks';

const embedded = createEmbeddedBackend({
  entry: fileURLToPath(new URL('main.js', import.meta.url)),
  maxConcurrentTasks: 8,
  maxQueuedTasks: 256,
  graceMs: 2_000,
  logCapBytes: 1_000_000,
  retentionDays: 7,
  maxFinished: 500,
  maxTotalBytes: 100_000_000,
});

/** One job's work cannot even be started. */
const backend: TaskBackend = {
  capabilities: embedded.capabilities,
  start: (spec, ...more) =>
    embedded.start(
      spec.toolName === 'protocol_error_job' ? { ...spec, cwd: '/no/such/folder' } : spec,
      ...more,
    ),
  get: (...query) => embedded.get(...query),
  list: (...query) => embedded.list(...query),
  readOutput: (...query) => embedded.readOutput(...query),
  wait: (...query) => embedded.wait(...query),
  cancel: (...query) => embedded.cancel(...query),
  questions: (...query) => embedded.questions?.(...query) ?? Promise.resolve(undefined),
  answer: (...given) => embedded.answer?.(...given) ?? Promise.resolve(),
  close: (mode) => embedded.close(mode),
};

// Each case of a conformance suite stands alone.
await startMcpServer(() => import('./program.js'), {
  // Short: the suite's own names of tools are long, and clients put this before them.
  name: 'conformance',
  sessionCache: 'off',
  tasks: { backend },
});
