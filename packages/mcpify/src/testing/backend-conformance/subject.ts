import type { TaskBackend, TaskCapabilities } from '../../tasks/task-backend.js';
import type { CaseContext } from './case-context.js';

/** The backend that is put through the conformance suite. */
export interface BackendUnderTest {
  /**
   * Opens a backend. It is called several times, also within one case: all of them share one store, as servers on one
   * machine do, and nothing else.
   */
  open(): TaskBackend | Promise<TaskBackend>;
  /**
   * The suite's own command, where tasks run on a machine whose files lie elsewhere.
   *
   * @default its path in this package
   */
  readonly entry?: string | undefined;
  /**
   * A folder that exists where tasks run, an absolute path.
   *
   * @default the working directory of this process
   */
  readonly cwd?: string | undefined;
}

export interface CaseDefinition {
  readonly name: string;
  /** Why it does not apply to a backend with these capabilities; undefined where it does. */
  readonly skip?: (capabilities: TaskCapabilities) => string | undefined;
  run(context: CaseContext): Promise<void>;
}
