import { hasAdopter } from './adopter.js';
import { Orphan } from './orphan.js';
import { readIntent, readRecords, type TaskRecords } from './read-records.js';
import { recordExit } from './record-exit.js';
import { requestEnd } from './request-end.js';
import { isServerGone, standingOf } from './standing.js';
import type { TaskPhase } from './task-backend.js';
import type { TaskFolder } from './task-folder.js';
import type { EndIntent, ExitRecord, TaskRecord } from './task-records.js';
import { toExit, toFailure } from './to-exit.js';

/** Where a task stands after everything that could be settled has been. */
export type Settled = { readonly exit: ExitRecord } | { readonly phase: TaskPhase };

/**
 * Takes care of tasks whose supervisor is gone: whoever asks for one of them settles what can be settled. Several
 * servers may do so at once; the first record of an end stays.
 */
export class TaskKeeper {
  /** Runs that this process is just ending. */
  private readonly endings = new Map<string, Promise<ExitRecord>>();
  /** Ends that could not be written: told from memory, and tried again at the next look. */
  private readonly unwritten = new Map<string, ExitRecord>();
  private readonly adopted = new Set<string>();

  /** @returns undefined where there is no such task */
  async look(folder: TaskFolder): Promise<{ records: TaskRecords; settled: Settled } | undefined> {
    const records = await readRecords(folder);
    return records && { records, settled: await this.settle(folder, records) };
  }

  async settle(folder: TaskFolder, records: TaskRecords): Promise<Settled> {
    const standing = standingOf(records);
    switch (standing.kind) {
      case 'ended':
        return { exit: standing.exit };
      case 'waiting':
        return { phase: 'queued' };
      case 'void':
        return {
          exit: await this.record(folder, endWithoutRun(records.task, await intentOf(folder, records))),
        };
      case 'supervised':
        return { phase: standing.hasChild ? 'supervised' : 'starting' };
      case 'orphaned':
        return this.adopt(folder, records);
      case 'host-restarted':
        return { exit: await this.record(folder, new Orphan(folder, records).seenEnd(records.intent, true)) };
    }
  }

  /** Ends a run in place of its supervisor. */
  endRun(folder: TaskFolder, orphan: Orphan, intent: EndIntent | undefined): Promise<ExitRecord> {
    const running = this.endings.get(folder.taskId);
    if (running) return running;
    const ending = orphan
      .end(intent)
      .then((exit) => this.record(folder, exit))
      .finally(() => this.endings.delete(folder.taskId));
    // Whoever looks next tries again.
    ending.catch(() => {});
    this.endings.set(folder.taskId, ending);
    return ending;
  }

  /** The record that stands; from memory where it cannot be written. */
  async record(folder: TaskFolder, exit: ExitRecord): Promise<ExitRecord> {
    const { taskId } = folder;
    const known = this.unwritten.get(taskId) ?? exit;
    try {
      const standing = await recordExit(folder, known);
      this.unwritten.delete(taskId);
      this.adopted.delete(taskId);
      return standing;
    } catch {
      this.unwritten.set(taskId, known);
      return known;
    }
  }

  private async adopt(folder: TaskFolder, records: TaskRecords): Promise<Settled> {
    const { taskId } = folder;
    if (this.endings.has(taskId)) return { phase: 'adopted' };
    const unwritten = this.unwritten.get(taskId);
    if (unwritten) return { exit: await this.record(folder, unwritten) };
    const orphan = new Orphan(folder, records);
    if (orphan.isRunning()) {
      const intent = records.intent ?? (await this.dueIntent(folder, records, orphan));
      if (intent) void this.endRun(folder, orphan, intent);
      else if (!this.adopted.has(taskId)) {
        this.adopted.add(taskId);
        if (!(await hasAdopter(folder))) orphan.resume();
      }
      return { phase: 'adopted' };
    }
    const intent = await intentOf(folder, records);
    if (orphan.hasLeftovers()) {
      void this.endRun(folder, orphan, intent);
      return { phase: 'adopted' };
    }
    return { exit: await this.record(folder, orphan.seenEnd(intent)) };
  }

  private async dueIntent(
    folder: TaskFolder,
    { task }: TaskRecords,
    orphan: Orphan,
  ): Promise<EndIntent | undefined> {
    const kind = orphan.isOverdue()
      ? 'timeout'
      : task.spec.tie && isServerGone(task)
        ? 'server-gone'
        : undefined;
    if (!kind) return undefined;
    return requestEnd(folder, kind).catch((): EndIntent => ({ kind, at: new Date().toISOString() }));
  }
}

/** Another server writes its intent before it ends anything: an end that is seen now may have one that was not yet read. */
async function intentOf(folder: TaskFolder, { intent }: TaskRecords): Promise<EndIntent | undefined> {
  return intent ?? (await readIntent(folder));
}

function endWithoutRun(task: TaskRecord, intent: EndIntent | undefined): ExitRecord {
  return intent ? toExit(task.spec, {}, intent, 'none') : toFailure('never-started');
}
