import type { Caller, Task, TaskBackend, TaskSpec } from './task-backend.js';

/** How the embedded backend runs tasks: `McpOptions.tasks` and its neighbours, with every default filled in. */
export interface EmbeddedSettings {
  /** The script of the CLI, an absolute path: servers of the same one share their tasks. */
  readonly entry: string;
  /** Where the folders of all projects lie. @default the state directory that the system has for this user */
  readonly stateDir?: string | undefined;
  /** How many tasks of this server run at the same time. */
  readonly maxConcurrentTasks: number;
  /** How many more may wait for their turn. */
  readonly maxQueuedTasks: number;
  /** Between SIGTERM and SIGKILL, in milliseconds. */
  readonly graceMs: number;
  /** How large the log of one task may grow. */
  readonly logCapBytes: number;
  /** Finished tasks are removed after so many days. */
  readonly retentionDays: number;
  /** So many finished tasks are kept. */
  readonly maxFinished: number;
  /** So many bytes of finished tasks are kept. */
  readonly maxTotalBytes: number;
}

/** Runs tasks on this machine, each under a supervisor of its own that outlives the server. */
export interface EmbeddedBackend extends TaskBackend {
  /**
   * Keeps the whole output of a call that somebody waited for, as a finished task, so that a result that was cut can
   * be read page by page.
   */
  keepOutput(call: KeptCall, caller: Caller): OutputSpill;
}

export type KeptCall = Pick<TaskSpec, 'toolName' | 'commandPath'> & Partial<Pick<TaskSpec, 'exitCodes'>>;

/** Output on its way into a finished task. Nothing is written before the first `write`. */
export interface OutputSpill {
  write(chunk: string | Uint8Array): void;
  /** @throws TaskRefusedError where it could not be written */
  finish(end: { readonly exitCode: number }): Promise<Task>;
  discard(): void;
}
