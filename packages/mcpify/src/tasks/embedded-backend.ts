import { cancelTask } from './cancel-task.js';
import type { EmbeddedBackend, EmbeddedSettings } from './embedded-settings.js';
import { listTaskIds } from './list-tasks.js';
import { readNewest } from './newest-first.js';
import { projectPath } from './project-folder.js';
import { readTotalBytes } from './output/log-files.js';
import { createOutputSpill } from './output/output-spill.js';
import { waitForPage } from './output/wait-for-page.js';
import type { TaskRecords } from './read-records.js';
import { scheduleRetention } from './retention-schedule.js';
import { TaskSweep } from './sweep-tasks.js';
import type { Caller, OutputPage, OutputQuery, Task, TaskAnswer, TaskQuestion } from './task-backend.js';
import { taskFolder, type TaskFolder } from './task-folder.js';
import { isTaskId } from './task-id.js';
import { TaskKeeper, type Settled } from './task-keeper.js';
import { readQuestions, writeAnswer } from './task-questions.js';
import { TaskRunner } from './task-runner.js';
import { toTask } from './to-task.js';
import { isEnded, untilEnded } from './until-ended.js';

const SWEEP_INTERVAL_MS = 5_000;
const DEFAULT_LIST_LIMIT = 50;

/** No wait is longer: many clients give up after a minute. */
const LONGEST_WAIT_MS = 45_000;

/**
 * The backend that runs tasks on this machine, without anything else installed: a folder for each task, and a small
 * process that watches it and outlives the server (tasks.md, section 10). Servers of the same CLI share their tasks.
 *
 * It looks after tasks of servers that are gone from its creation on, until it is closed.
 */
export function createEmbeddedBackend(settings: EmbeddedSettings): EmbeddedBackend {
  const path = projectPath(settings.entry, settings.stateDir);
  const keeper = new TaskKeeper();
  const runner = new TaskRunner(path, keeper, settings);
  const sweep = new TaskSweep(path, keeper, runner);
  const lookAfter = () => void sweep.run().catch(() => {});
  setImmediate(lookAfter);
  const sweeper = setInterval(lookAfter, SWEEP_INTERVAL_MS).unref();
  const retention = scheduleRetention(path, settings);
  const tasks = new OwnTasks(path, keeper, runner);
  return {
    capabilities: { survivesServer: true, remote: false, list: true, tie: true, isolation: [] },
    async start(spec, secrets, caller) {
      const { folder, record } = await runner.start(spec, secrets, caller);
      return toTask(record, { phase: runner.phaseOf(folder.taskId) }, 0);
    },
    get: (taskId, caller) => tasks.get(taskId, caller),
    list: (caller, { limit = DEFAULT_LIST_LIMIT } = {}) => tasks.list(caller, limit),
    wait: (taskId, waitMs, caller, signal) => tasks.wait(taskId, waitMs, caller, signal),
    readOutput: (taskId, query, caller, signal) => tasks.readOutput(taskId, query, caller, signal),
    cancel: (taskId, caller) => tasks.cancel(taskId, caller),
    questions: (taskId, caller) => tasks.questions(taskId, caller),
    answer: (taskId, key, answer, caller) => tasks.answer(taskId, key, answer, caller),
    keepOutput: (call, caller) => createOutputSpill(path, call, caller, settings),
    async close(mode) {
      clearInterval(sweeper);
      retention.stop();
      await runner.close(mode);
    },
  };
}

/** The tasks as their owners see them. */
class OwnTasks {
  constructor(
    private readonly projectPath: string,
    private readonly keeper: TaskKeeper,
    private readonly runner: TaskRunner,
  ) {}

  async get(taskId: string, caller: Caller): Promise<Task | undefined> {
    if (!isTaskId(taskId)) return undefined;
    const folder = taskFolder(this.projectPath, taskId);
    const seen = await this.keeper.look(folder);
    return seen && isOwnedBy(seen.records, caller)
      ? this.show(folder, seen.records, seen.settled)
      : undefined;
  }

  async list(caller: Caller, limit: number): Promise<Task[]> {
    const taskIds = await listTaskIds(this.projectPath);
    return readNewest(
      taskIds.map((taskId) => ({ taskId })),
      limit,
      ({ taskId }) => this.get(taskId, caller).catch(unlessForbidden),
      (task) => task,
    );
  }

  async wait(
    taskId: string,
    waitMs: number,
    caller: Caller,
    signal: AbortSignal | undefined,
  ): Promise<Task | undefined> {
    const task = await this.get(taskId, caller);
    if (task?.status !== 'running') return task;
    const folder = taskFolder(this.projectPath, taskId);
    // Whatever becomes of its supervisor, its end is recorded by it, by the sweep, or by the runner.
    await untilEnded(folder, Math.min(waitMs, LONGEST_WAIT_MS), signal);
    return this.get(taskId, caller);
  }

  async readOutput(
    taskId: string,
    query: OutputQuery,
    caller: Caller,
    signal: AbortSignal | undefined,
  ): Promise<OutputPage | undefined> {
    if (!(await this.get(taskId, caller))) return undefined;
    const folder = taskFolder(this.projectPath, taskId);
    const page = await waitForPage(folder, query, () => isEnded(folder), signal);
    const task = await this.get(taskId, caller);
    return task && { task, ...page };
  }

  async cancel(taskId: string, caller: Caller): Promise<Task | undefined> {
    const task = await this.get(taskId, caller);
    if (task?.status !== 'running') return task;
    await cancelTask(this.keeper, taskFolder(this.projectPath, taskId));
    this.runner.withdraw(taskId);
    return this.get(taskId, caller);
  }

  async questions(taskId: string, caller: Caller): Promise<ReadonlyMap<string, TaskQuestion> | undefined> {
    const task = await this.get(taskId, caller);
    if (!task) return undefined;
    return task.status === 'running' ? readQuestions(taskFolder(this.projectPath, taskId)) : new Map();
  }

  async answer(taskId: string, key: string, answer: TaskAnswer, caller: Caller): Promise<void> {
    const task = await this.get(taskId, caller);
    if (task?.status === 'running') await writeAnswer(taskFolder(this.projectPath, taskId), key, answer);
  }

  private async show(folder: TaskFolder, { task }: TaskRecords, settled: Settled): Promise<Task> {
    const isUntaken = 'phase' in settled && settled.phase === 'queued';
    const state = isUntaken ? { phase: this.runner.phaseOf(folder.taskId) } : settled;
    return toTask(task, state, readTotalBytes(folder));
  }
}

/** Files of another user in a folder of ours: no reason not to tell of the other tasks. */
function unlessForbidden(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error;
}

function isOwnedBy({ task }: TaskRecords, { owner }: Caller): boolean {
  return task.owner === owner;
}
