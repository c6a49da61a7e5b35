import { rm, stat } from 'node:fs/promises';

import type { ProcessIdentity } from '../child-process/process-identity.js';
import { isAdopter } from './adopter.js';
import { listOpenTaskIds } from './list-tasks.js';
import { Orphan } from './orphan.js';
import { readRecords, type TaskRecords } from './read-records.js';
import { canBeTakenOver, isThere, standingOf, type Standing } from './standing.js';
import { openTaskPath, taskFolder, type TaskFolder } from './task-folder.js';
import type { TaskKeeper } from './task-keeper.js';
import { isEnded } from './until-ended.js';
import { writeOnce } from './write-record.js';

/** A supervisor that the server had just started when it was killed has so long to take the run. */
const START_GRACE_MS = 5_000;

/** A mark without a task is one of a task that is just being stored, or of one whose server was killed meanwhile. */
const MARK_GRACE_MS = 60_000;

/** The queue of this server. */
export interface SweptQueue {
  isWaiting(taskId: string): boolean;
  /** Queues a task of a server that is gone. @returns false: there is no room just now */
  takeOver(folder: TaskFolder, records: TaskRecords): boolean;
}

/** Goes through all tasks that may not have ended, and settles what nobody else does. */
export class TaskSweep {
  private running: Promise<void> | undefined;
  /** When a task was first seen without a supervisor and without a server. */
  private readonly firstSeenMs = new Map<string, number>();
  /** Who looks after a task, as far as is known. While that process lives, nothing of the task need be read. */
  private readonly watchers = new Map<string, ProcessIdentity>();

  constructor(
    private readonly projectPath: string,
    private readonly keeper: TaskKeeper,
    private readonly queue: SweptQueue,
  ) {}

  async run(): Promise<void> {
    // On a busy machine one may take longer than the time to the next.
    this.running ??= this.goThrough().finally(() => {
      this.running = undefined;
    });
    await this.running;
  }

  private async goThrough(): Promise<void> {
    const taskIds = await listOpenTaskIds(this.projectPath);
    const open = new Set(taskIds);
    for (const known of [this.firstSeenMs, this.watchers]) {
      for (const taskId of known.keys()) if (!open.has(taskId)) known.delete(taskId);
    }
    for (const taskId of taskIds) {
      // One that cannot be read just now is looked at again the next time.
      await this.lookAt(taskFolder(this.projectPath, taskId)).catch(() => {});
    }
  }

  private async lookAt(folder: TaskFolder): Promise<void> {
    if (this.isWatched(folder)) return;
    const records = await readRecords(folder);
    const mark = openTaskPath(folder.projectPath, folder.taskId);
    if (!records) {
      const { mtimeMs } = await stat(mark);
      if (Date.now() - mtimeMs > MARK_GRACE_MS) await rm(mark, { force: true });
      return;
    }
    const standing = standingOf(records);
    this.remember(folder.taskId, watcherOf(records, standing));
    if (standing.kind === 'ended') await rm(mark, { force: true });
    else if (standing.kind === 'waiting') await this.lookAtWaiting(folder, records, standing.isServerGone);
    else await this.lookAtRun(folder, records);
  }

  private isWatched(folder: TaskFolder): boolean {
    if (this.queue.isWaiting(folder.taskId)) return true;
    const watcher = this.watchers.get(folder.taskId);
    return watcher !== undefined && !isEnded(folder) && isThere(watcher);
  }

  private remember(taskId: string, watcher: ProcessIdentity | undefined): void {
    if (watcher) this.watchers.set(taskId, watcher);
    else this.watchers.delete(taskId);
  }

  private async lookAtRun(folder: TaskFolder, records: TaskRecords): Promise<void> {
    const settled = await this.keeper.settle(folder, records);
    const isAdopted = 'phase' in settled && settled.phase === 'adopted';
    if (isAdopted && (await isAdopter(folder))) new Orphan(folder, records).capLog();
  }

  /** One whose server was killed before a supervisor had taken the run is started here, or never. */
  private async lookAtWaiting(
    folder: TaskFolder,
    records: TaskRecords,
    isServerGone: boolean,
  ): Promise<void> {
    if (!isServerGone) return;
    const { taskId } = folder;
    const nowMs = performance.now();
    const firstSeenMs = this.firstSeenMs.get(taskId) ?? nowMs;
    this.firstSeenMs.set(taskId, firstSeenMs);
    if (nowMs - firstSeenMs < START_GRACE_MS) return;
    const { task, intent } = records;
    const canStart = !intent && canBeTakenOver(task);
    if (canStart) this.queue.takeOver(folder, records);
    else if (await writeOnce(folder.run, { kind: 'void' })) {
      await this.keeper.settle(folder, { ...records, claim: { kind: 'void' } });
    }
  }
}

/** Its supervisor, or another server in whose queue it is. */
function watcherOf({ task }: TaskRecords, standing: Standing): ProcessIdentity | undefined {
  if (standing.kind === 'supervised') return standing.supervisor;
  const isElsewhere = standing.kind === 'waiting' && task.server?.pid !== process.pid;
  return isElsewhere ? task.server : undefined;
}
