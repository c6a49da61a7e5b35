import { setTimeout as delay } from 'node:timers/promises';

import { cancelTask } from './cancel-task.js';
import { createTask, type NewTask } from './create-task.js';
import type { EmbeddedSettings } from './embedded-settings.js';
import { launchTask } from './launch-task.js';
import { readRecords, type TaskRecords } from './read-records.js';
import { TaskRefusedError, type Caller, type Secrets, type TaskSpec } from './task-backend.js';
import type { TaskFolder } from './task-folder.js';
import type { TaskKeeper } from './task-keeper.js';
import { TaskQueue, type QueuePlace } from './task-queue.js';
import { toFailure } from './to-exit.js';
import { writeOnce } from './write-record.js';

/** An adopted run keeps its place; this often its end is looked for. */
const ADOPTED_POLL_MS = 1_000;

/** Whoever ends the server waits no longer for the orders of supervisors that only just start. */
const DELIVERY_LIMIT_MS = 2_000;

/** The tasks that this process starts: each at its turn, under a supervisor of its own. */
export class TaskRunner {
  private readonly queue: TaskQueue;
  private readonly deliveries = new Set<Promise<void>>();
  /** Those that have not ended, with what has to be known at the end of this process. */
  private readonly tasks = new Map<string, NewTask>();
  private isClosed = false;

  constructor(
    private readonly projectPath: string,
    private readonly keeper: TaskKeeper,
    private readonly settings: EmbeddedSettings,
  ) {
    this.queue = new TaskQueue(settings);
  }

  /** @throws TaskRefusedError */
  async start(spec: TaskSpec, secrets: Secrets, caller: Caller): Promise<NewTask> {
    const place = this.queue.reserve();
    try {
      this.refuseIfClosed();
      const task = await createTask(this.projectPath, { spec, secrets, caller }, this.settings);
      if (this.isClosed) await this.refuseRun(task.folder);
      this.refuseIfClosed();
      this.enqueue(place, task, secrets);
      return task;
    } catch (error) {
      place.giveBack();
      throw error;
    }
  }

  /** Queues a task of a server that is gone. @returns whether there was room */
  takeOver(folder: TaskFolder, { task }: TaskRecords): boolean {
    if (this.isClosed || this.queue.phaseOf(folder.taskId)) return false;
    try {
      this.enqueue(this.queue.reserve(), { folder, record: task }, {});
      return true;
    } catch {
      return false;
    }
  }

  isWaiting(taskId: string): boolean {
    return this.queue.phaseOf(taskId) === 'queued';
  }

  /** Of a task that nobody has taken yet. */
  phaseOf(taskId: string): 'queued' | 'starting' {
    return this.queue.phaseOf(taskId) ?? 'queued';
  }

  /** One that is cancelled need not come to its turn. */
  withdraw(taskId: string): void {
    this.queue.withdraw(taskId);
    if (!this.queue.phaseOf(taskId)) this.tasks.delete(taskId);
  }

  async close(mode: 'keep' | 'cancel'): Promise<void> {
    this.isClosed = true;
    const waiting = new Set(this.queue.withdrawAll());
    const tasks = [...this.tasks.values()];
    if (mode === 'cancel') {
      await Promise.all(tasks.map(({ folder }) => cancelTask(this.keeper, folder).catch(() => {})));
    } else {
      // Nobody else can start these: what they need is in this process alone.
      const lost = tasks.filter(({ record }) => waiting.has(record.taskId) && record.carriesSecrets);
      await Promise.all(lost.map(({ folder }) => this.refuseRun(folder).catch(() => {})));
    }
    await Promise.race([Promise.all(this.deliveries), delay(DELIVERY_LIMIT_MS, undefined, { ref: false })]);
  }

  private refuseIfClosed(): void {
    if (this.isClosed) throw new TaskRefusedError('The server is ending: no task is started any more.');
  }

  private enqueue(place: QueuePlace, task: NewTask, secrets: Secrets): void {
    const { taskId } = task.record;
    this.tasks.set(taskId, task);
    place.fill(taskId, async () => {
      try {
        await this.run(task, secrets);
      } finally {
        this.tasks.delete(taskId);
      }
    });
  }

  /** Resolves when the task is over. */
  private async run(task: NewTask, secrets: Secrets): Promise<void> {
    const how = await this.supervise(task, secrets);
    if (how === undefined) return;
    const { folder } = task;
    const records = await readRecords(folder);
    if (!records || records.exit) return;
    if (records.claim) await this.untilEnded(folder);
    else await this.refuseRun(folder, `The process that was to watch it did not start: ${how}.`);
  }

  /** @returns how the supervisor ended; undefined where it was not needed */
  private async supervise(task: NewTask, secrets: Secrets): Promise<string | undefined> {
    try {
      const supervisor = launchTask(task, secrets, process.env);
      if (!supervisor) return undefined;
      const { delivered } = supervisor;
      this.deliveries.add(delivered);
      void delivered.then(() => this.deliveries.delete(delivered));
      return await supervisor.ended;
    } catch (error) {
      return (error as Error).message;
    }
  }

  private async untilEnded(folder: TaskFolder): Promise<void> {
    while (!this.isClosed) {
      const seen = await this.keeper.look(folder).catch(() => 'unknown' as const);
      if (seen !== 'unknown' && (!seen || 'exit' in seen.settled)) return;
      await delay(ADOPTED_POLL_MS, undefined, { ref: false });
    }
  }

  private async refuseRun(folder: TaskFolder, message?: string): Promise<void> {
    // On a full disk the claim cannot be written, but the end can.
    const isRefused = await writeOnce(folder.run, { kind: 'void' }).catch(() => true);
    if (isRefused) await this.keeper.record(folder, toFailure('never-started', message));
  }
}
