import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { Caller, Secrets, Task, TaskBackend, TaskSpec } from '../../tasks/task-backend.js';
import type { BackendUnderTest } from './subject.js';

/** No task of the suite takes longer by itself; a machine may be busy. */
const PATIENCE_MS = 60_000;

/** Between two questions to a backend that answers sooner than it was asked to. */
const PAUSE_MS = 20;

type StartOptions = Partial<TaskSpec> & { readonly secrets?: Secrets; readonly caller?: Caller };

/** What one case works with: a backend, an owner of its own, and the suite's command. */
export class CaseContext {
  /** Nobody else's tasks are in the way. */
  readonly caller: Caller = { owner: `conformance-${randomUUID()}` };
  private readonly opened: TaskBackend[] = [];

  private constructor(
    private readonly subject: BackendUnderTest,
    readonly backend: TaskBackend,
  ) {
    this.opened.push(backend);
  }

  static async open(subject: BackendUnderTest): Promise<CaseContext> {
    return new CaseContext(subject, await subject.open());
  }

  /** Another backend on the same store: the next server, or one beside this. */
  async openAnother(): Promise<TaskBackend> {
    const another = await this.subject.open();
    this.opened.push(another);
    return another;
  }

  get cwd(): string {
    return this.subject.cwd ?? process.cwd();
  }

  spec(steps: readonly string[], options: Partial<TaskSpec> = {}): TaskSpec {
    return {
      toolName: 'conformance',
      commandPath: ['conformance'],
      entry: this.subject.entry ?? fileURLToPath(new URL('./steps-command.js', import.meta.url)),
      execArgv: [],
      argv: steps,
      cwd: this.cwd,
      exitCodes: [],
      leftovers: 'kill',
      tie: false,
      idempotent: false,
      ...options,
    };
  }

  /** Starts the suite's command (`steps-command.ts`). */
  start(steps: readonly string[], { secrets = {}, caller, ...spec }: StartOptions = {}): Promise<Task> {
    return this.backend.start(this.spec(steps, spec), secrets, caller ?? this.caller);
  }

  async get(taskId: string, backend = this.backend): Promise<Task> {
    return there(await backend.get(taskId, this.caller));
  }

  async cancel(taskId: string, backend = this.backend): Promise<Task> {
    return there(await backend.cancel(taskId, this.caller));
  }

  /** The task once it has ended. */
  async untilEnded(taskId: string, backend = this.backend): Promise<Task> {
    const limitMs = performance.now() + PATIENCE_MS;
    for (;;) {
      const task = there(await backend.wait(taskId, 45_000, this.caller));
      if (task.status !== 'running') return task;
      assert.ok(performance.now() < limitMs, `the task has not ended within ${PATIENCE_MS} ms`);
      await delay(PAUSE_MS);
    }
  }

  /** The output once the pattern is in it. */
  async untilOutput(taskId: string, pattern: RegExp): Promise<string> {
    const limitMs = performance.now() + PATIENCE_MS;
    let text = '';
    for (let offsetBytes = 0; ;) {
      const query = { offsetBytes, maxBytes: 100_000, waitMs: 5_000 };
      const page = there(await this.backend.readOutput(taskId, query, this.caller));
      text += page.text;
      offsetBytes = page.nextOffsetBytes;
      if (pattern.test(text)) return text;
      assert.equal(page.task.status, 'running', `the task ended, and wrote: ${text}`);
      assert.ok(performance.now() < limitMs, `not written within ${PATIENCE_MS} ms: ${pattern}`);
      await delay(PAUSE_MS);
    }
  }

  /** The whole output, page by page. */
  async readAll(taskId: string, maxBytes: number): Promise<string> {
    let text = '';
    for (let offsetBytes = 0; ;) {
      const page = there(await this.backend.readOutput(taskId, { offsetBytes, maxBytes }, this.caller));
      assert.equal(page.offsetBytes, offsetBytes, 'a page begins where it was asked to');
      assert.equal(page.truncatedBytes, 0, 'nothing is cut off');
      text += page.text;
      if (offsetBytes === page.totalBytes) return text;
      assert.ok(page.nextOffsetBytes > offsetBytes, `reading goes on at byte ${offsetBytes}`);
      assert.ok(page.nextOffsetBytes <= page.totalBytes, 'no page ends behind the end');
      offsetBytes = page.nextOffsetBytes;
    }
  }

  /** Ends what the case has started. */
  async close(): Promise<void> {
    const running = await this.stillRunning();
    await Promise.all(running.map((taskId) => this.backend.cancel(taskId, this.caller)));
    await Promise.all(this.opened.map((backend) => backend.close('cancel')));
  }

  private async stillRunning(): Promise<string[]> {
    if (!this.backend.capabilities.list) return [];
    const tasks = await this.backend.list(this.caller, { limit: 1_000 });
    return tasks.filter(({ status }) => status === 'running').map(({ taskId }) => taskId);
  }
}

/** What the caller's own task must never be: unknown. */
export function there<T>(value: T | undefined): T {
  assert.ok(value !== undefined, 'the task is known');
  return value;
}

/** Not timed: much shorter than the wait that was asked for, and much longer than any machine needs. */
export async function soon<T>(promise: Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  const value = await promise;
  assert.ok(performance.now() - startedAtMs < 20_000, 'it is answered early');
  return value;
}
