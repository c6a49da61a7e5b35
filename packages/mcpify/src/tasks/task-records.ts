import type { ProcessIdentity } from '../child-process/process-identity.js';
import type { Task, TaskReason, TaskSpec, TaskStatus } from './task-backend.js';

/** `meta.json`: what is known before the run. Never holds a secret. */
export interface TaskRecord {
  readonly taskId: string;
  readonly spec: TaskSpec;
  /** `Caller.owner` of whoever started it. */
  readonly owner?: string | undefined;
  /** Marks the processes of the run (`ProcessTree.token`). */
  readonly token: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The server that is to start it, and holds what is not stored. Without one it was finished when it was written. */
  readonly server?: ProcessIdentity | undefined;
  /** The real argv is in that server's memory alone: nobody else can start it. */
  readonly carriesSecrets: boolean;
  /** Between SIGTERM and SIGKILL, in milliseconds. */
  readonly graceMs: number;
  /** How large the log may grow. */
  readonly logCapBytes: number;
}

/**
 * `run.json`: the supervisor that has taken the run, or nobody: it will never start. The claim comes before everything
 * else, so that "never started" and "started late" cannot both happen.
 */
export type RunClaim =
  { readonly kind: 'supervisor'; readonly supervisor: ProcessIdentity } | { readonly kind: 'void' };

/** `child.json`: the process of the command. */
export interface ChildRecord {
  readonly identity: ProcessIdentity;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The same moment on the clock of `process.hrtime`, in milliseconds: on Linux it does not count suspend. */
  readonly startedAtMonotonicMs: number;
}

/** `cancel.json`: the run is to end. The first reason stays. */
export interface EndIntent {
  readonly kind: 'cancel' | 'timeout' | 'server-gone' | 'log-cap';
  /** ISO 8601. */
  readonly at: string;
}

/** `adopter.json`. One whose server is gone is replaced. */
export interface AdopterRecord {
  readonly server: ProcessIdentity;
}

/** `exit.json`: the end. */
export interface ExitRecord {
  readonly status: Exclude<TaskStatus, 'running'>;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly reason?: TaskReason | undefined;
  readonly message?: string | undefined;
  readonly evidence: NonNullable<Task['evidence']>;
  /** ISO 8601. */
  readonly endedAt: string;
}
