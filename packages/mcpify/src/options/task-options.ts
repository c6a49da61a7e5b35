import { availableParallelism } from 'node:os';

import type { TaskBackend } from '../tasks/task-backend.js';
import type { McpOptions } from './mcp-options.js';
import { refuseUnknown } from './refuse-unknown.js';
import { amount, count, filled, invalid, values } from './setting-values.js';

/** How background tasks are run and kept. */
export interface TaskOptions {
  /** What runs the tasks. @default this machine, each task under a supervisor that outlives the server */
  readonly backend?: TaskBackend;
  /** What becomes of running tasks when the server ends, however it ends. @default 'keep' */
  readonly onServerExit?: 'keep' | 'cancel';
  /** Finished tasks are removed after so many days. @default 7 */
  readonly retentionDays?: number;
  /** How many finished tasks are kept. @default 500 */
  readonly maxFinished?: number;
  /** How much finished tasks may take, in bytes. @default 1 GiB */
  readonly maxTotalBytes?: number;
  /** How large the log of one task may grow, in bytes; the newest part is kept. @default 64 MiB */
  readonly logCapBytes?: number;
  /** Between asking a process tree to end (SIGTERM) and ending it (SIGKILL), in milliseconds. @default 2,000 */
  readonly graceMs?: number;
}

/** `McpOptions.tasks` and its neighbours, with every default filled in. */
export interface TaskSettings extends Required<Omit<TaskOptions, 'backend'>> {
  readonly backend: TaskBackend | undefined;
  readonly stateDir: string | undefined;
  readonly maxConcurrentTasks: number;
  readonly maxQueuedTasks: number;
}

const DEFAULTS = {
  retentionDays: 7,
  maxFinished: 500,
  maxTotalBytes: 1_073_741_824,
  logCapBytes: 67_108_864,
  graceMs: 2_000,
};

const MOST_QUEUED = 256;

/** @throws UsageError `INVALID_SETTING` */
export function resolveTasks(options: McpOptions): TaskSettings {
  const { backend, onServerExit, ...amounts } = readOptions(options.tasks);
  return {
    ...DEFAULTS,
    ...amounts,
    backend,
    onServerExit: onServerExit ?? 'keep',
    stateDir: filled('stateDir', options.stateDir),
    maxConcurrentTasks:
      count('maxConcurrentTasks', options.maxConcurrentTasks, 1) ?? Math.max(4, 2 * availableParallelism()),
    maxQueuedTasks: count('maxQueuedTasks', options.maxQueuedTasks, 0) ?? MOST_QUEUED,
  };
}

function readOptions(value: unknown): TaskOptions {
  const options = values('tasks', value);
  const known = ['backend', 'onServerExit', ...Object.keys(DEFAULTS)];
  refuseUnknown(options, known, (name) => `Unknown setting "tasks.${name}"`);
  for (const [name, each] of Object.entries(options)) {
    if (name === 'backend') checkBackend(each);
    else if (name === 'onServerExit') checkExit(each);
    else if (name === 'graceMs' || name === 'maxFinished') count(`tasks.${name}`, each, 0);
    else amount(`tasks.${name}`, each);
  }
  return Object.fromEntries(Object.entries(options).filter(([, each]) => each !== undefined));
}

function checkBackend(value: unknown): void {
  const isBackend = typeof (value as Partial<TaskBackend> | null)?.start === 'function';
  if (value !== undefined && !isBackend)
    throw invalid('tasks.backend', value, 'a task backend (mcpify/tasks)');
}

function checkExit(value: unknown): void {
  if (value === undefined || value === 'keep' || value === 'cancel') return;
  throw invalid('tasks.onServerExit', value, "'keep' or 'cancel'");
}
