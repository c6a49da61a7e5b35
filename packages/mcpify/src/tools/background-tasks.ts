import type { TaskSettings } from '../options/task-options.js';
import { describeError } from '../result/describe-error.js';
import { createMask, type SecretMask } from '../result/mask-secrets.js';
import { createEmbeddedBackend } from '../tasks/embedded-backend.js';
import type { EmbeddedBackend } from '../tasks/embedded-settings.js';
import { TaskRefusedError, type TaskBackend } from '../tasks/task-backend.js';

/** The background tasks of one server: loaded by the first call that has to do with one. */
export interface BackgroundTasks {
  /** What runs the tasks, and has the outputs that were kept. */
  readonly backend: TaskBackend;
  /** Keeps all output of one call as a finished task. */
  readonly keepOutput: EmbeddedBackend['keepOutput'];
  /** Secret values that a task was started with: what is shown of it from here on does not repeat them (K22). */
  hideSecrets(taskId: string, secrets: readonly string[]): void;
  maskOf(taskId: string): SecretMask | undefined;
  close(): Promise<void>;
}

export type LoadTasks = () => Promise<BackgroundTasks>;

export interface TasksWhenCalled {
  readonly load: LoadTasks;
  /**
   * The same in this very moment: a command that prints without end lets nobody else have a turn. Undefined where no
   * output is kept.
   *
   * @throws where the runtime cannot
   */
  readonly loadNow?: () => BackgroundTasks;
}

/** Tasks whose secrets are remembered: nothing grows for ever. */
const MOST_MASKS = 1_000;

/** @param entry the script whose tasks they are: servers of the same one share them */
export function createBackgroundTasks(settings: TaskSettings, entry: string): BackgroundTasks {
  let embedded: EmbeddedBackend | undefined;
  const kept = () => (embedded ??= createEmbeddedBackend({ ...settings, entry }));
  const backend = settings.backend ? withKeptOutput(settings.backend, kept) : kept();
  const masks = new Map<string, SecretMask>();
  return {
    backend,
    keepOutput: (call, caller) => kept().keepOutput(call, caller),
    hideSecrets(taskId, secrets) {
      const mask = createMask(secrets);
      if (!mask) return;
      masks.set(taskId, mask);
      const [oldest] = masks.keys();
      if (masks.size > MOST_MASKS && oldest !== undefined) masks.delete(oldest);
    },
    maskOf: (taskId) => masks.get(taskId),
    async close() {
      const all = new Set([settings.backend, embedded]);
      await Promise.all([...all].map((each) => each?.close(settings.onServerExit)));
    },
  };
}

const NONE = Promise.resolve(undefined);

/** Output that was too long for a result is kept on this machine, wherever the tasks run. */
function withKeptOutput(backend: TaskBackend, kept: () => TaskBackend): TaskBackend {
  return {
    capabilities: backend.capabilities,
    start: (...task) => backend.start(...task),
    list: (...query) => backend.list(...query),
    get: async (...query) => (await backend.get(...query)) ?? kept().get(...query),
    wait: async (...query) => (await backend.wait(...query)) ?? kept().wait(...query),
    readOutput: async (...query) => (await backend.readOutput(...query)) ?? kept().readOutput(...query),
    cancel: async (...query) => (await backend.cancel(...query)) ?? kept().cancel(...query),
    ...(backend.questions && { questions: (...query) => backend.questions?.(...query) ?? NONE }),
    ...(backend.answer && { answer: (...given) => backend.answer?.(...given) ?? NONE }),
    close: (mode) => backend.close(mode),
  };
}

/** Why nothing could be done: a full queue, a store that cannot be read or written. */
export function describeTaskError(error: unknown): string {
  if (error instanceof TaskRefusedError) return error.message;
  return `Background tasks do not work here: ${describeError(error)}`;
}
