/**
 * The seam for background tasks (api.md): whatever runs commands outside of the server implements it. The embedded
 * backend is the default; a queue with workers on other machines is another one.
 *
 * A caller sees its own tasks only: for everybody else's, as for those that never were, the answer is `undefined`.
 */
export interface TaskBackend {
  readonly capabilities: TaskCapabilities;
  /**
   * Resolves once the task is durable: from then on any process with access sees it, whatever becomes of this one.
   *
   * @throws TaskRefusedError where the queue is full or the store cannot be written
   */
  start(spec: TaskSpec, secrets: Secrets, caller: Caller): Promise<Task>;
  get(taskId: string, caller: Caller): Promise<Task | undefined>;
  /** Newest first. `limit`: how many at most. @default 50 */
  list(caller: Caller, options?: { readonly limit?: number }): Promise<Task[]>;
  /** A page of the log, also while the task runs. */
  readOutput(
    taskId: string,
    query: OutputQuery,
    caller: Caller,
    signal?: AbortSignal,
  ): Promise<OutputPage | undefined>;
  /** Resolves with the first change of status, or after `waitMs`; at once where the task has ended. */
  wait(taskId: string, waitMs: number, caller: Caller, signal?: AbortSignal): Promise<Task | undefined>;
  /** Resolves when the whole process tree is gone; an ended task is given back unchanged. */
  cancel(taskId: string, caller: Caller): Promise<Task | undefined>;
  /**
   * What the command of a running task asks its client and waits for, by a key that is never used again. A backend
   * without this and `answer` runs no task that asks (`TaskSpec.asks`).
   */
  questions?(taskId: string, caller: Caller): Promise<ReadonlyMap<string, TaskQuestion> | undefined>;
  /** Gives a question its answer; the first one counts, and one that nobody asks for is passed over. */
  answer?(taskId: string, key: string, answer: TaskAnswer, caller: Caller): Promise<void>;
  /** Lets go of everything this process holds. `cancel` ends the tasks that this backend started; `keep` lets them run. */
  close(mode: 'keep' | 'cancel'): Promise<void>;
}

export interface TaskQuestion {
  readonly message: string;
  /** JSON Schema of the answer's content. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface TaskAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

export interface TaskCapabilities {
  /** Tasks go on when the server ends. */
  readonly survivesServer: boolean;
  /** Tasks may run on another machine. */
  readonly remote: boolean;
  readonly list: boolean;
  /** `TaskSpec.tie` is kept. */
  readonly tie: boolean;
  /** Further ways to isolate a task, by name. */
  readonly isolation: readonly string[];
}

/** What is to run. Plain JSON, and nothing in it is secret: it may be stored and shown. */
export interface TaskSpec {
  readonly toolName: string;
  /** Without the program's name: `['cf', 'compile']`. */
  readonly commandPath: readonly string[];
  /** The script of the CLI, an absolute path (B9). */
  readonly entry: string;
  /** Node's own flags, as those of the server: loaders. */
  readonly execArgv: readonly string[];
  /** Behind the entry. Where `Secrets.argv` is given, this one is what `ps` and the record show. */
  readonly argv: readonly string[];
  /** An absolute path. */
  readonly cwd: string;
  /** Ends the task, with its process tree, after so many milliseconds of awake time. @default no limit */
  readonly timeoutMs?: number | undefined;
  /** Exit codes besides 0 that are a normal result (`McpExitCodes`). */
  readonly exitCodes: readonly number[];
  /** What becomes of processes that the command leaves running at its end. */
  readonly leftovers: 'kill' | 'keep';
  /** The task ends when the server that started it does (`tasks.onServerExit: 'cancel'`). */
  readonly tie: boolean;
  /** May be started again where its end was lost (`McpIdempotent`). */
  readonly idempotent: boolean;
  /** Its client follows it and can be asked what the command asks. @default false: questions are refused */
  readonly asks?: boolean | undefined;
}

/** What travels beside a spec, in memory and pipes only; never stored. */
export interface Secrets {
  /**
   * The real argv, where it may not or cannot stand on a command line: secret values, NUL, over 100 KiB
   * (argv.md rule 14). @default `TaskSpec.argv`
   */
  readonly argv?: readonly string[] | undefined;
}

/** Who asks. Tasks belong to their owner; without one (stdio) to whoever may read the store. */
export interface Caller {
  readonly owner?: string | undefined;
}

export type TaskStatus = 'running' | 'completed' | 'failed' | 'cancelled' | 'timeout';

/** Where a running task stands. `adopted`: its supervisor is gone, and others watch it. */
export type TaskPhase = 'queued' | 'starting' | 'supervised' | 'adopted';

/** Why a task failed, where its own exit code is not the reason. */
export type TaskReason =
  'lost' | 'never-started' | 'host-restarted' | 'server-gone' | 'spawn-error' | 'log-cap';

/** One task as its owner sees it. A status other than `running` never changes again. */
export interface Task {
  readonly taskId: string;
  readonly toolName: string;
  readonly commandPath: readonly string[];
  readonly status: TaskStatus;
  /** While it runs. */
  readonly phase?: TaskPhase | undefined;
  readonly reason?: TaskReason | undefined;
  /** A sentence about the reason, for people and models. */
  readonly message?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  /** Who saw the end: the supervisor; the witness in the CLI's own process; nobody. */
  readonly evidence?: 'supervisor' | 'witness' | 'none' | undefined;
  /** 1, and one more for each time that a lost task was started again. */
  readonly attempt: number;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly endedAt?: string | undefined;
  /** Milliseconds since the start, or from the start to the end. */
  readonly elapsedMs: number;
  readonly timeoutMs?: number | undefined;
  /** Size of the whole log so far, also of what is not kept any more. */
  readonly outputBytes: number;
}

/** Offsets are bytes of the raw log, everywhere. */
export interface OutputQuery {
  /** From here on; the `nextOffsetBytes` of an earlier page. */
  readonly offsetBytes?: number | undefined;
  /** At most so much. */
  readonly maxBytes: number;
  /** The last lines, where no offset is given. */
  readonly tailLines?: number | undefined;
  /** Waits so long, at most 45,000, for output behind the offset or for the end. @default 0 */
  readonly waitMs?: number | undefined;
}

export interface OutputPage {
  readonly task: Task;
  /** Raw output, whole characters only: escapes are not removed. */
  readonly text: string;
  /** Where `text` begins. */
  readonly offsetBytes: number;
  /** Where the next page begins. */
  readonly nextOffsetBytes: number;
  /** Size of the whole log so far. */
  readonly totalBytes: number;
  /** Bytes between the offset asked for and `text` that are not kept any more (log cap). */
  readonly truncatedBytes: number;
}

/** A task that could not be started, with a sentence for the model. Nothing runs, nothing is stored. */
export class TaskRefusedError extends Error {
  override readonly name = 'TaskRefusedError';
}
