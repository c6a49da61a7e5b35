import { isFromHere, type ProcessIdentity } from '../child-process/process-identity.js';
import { signalProcess } from '../child-process/signal-process.js';
import { Orphan } from './orphan.js';
import { readRecords, type TaskRecords } from './read-records.js';
import { requestEnd } from './request-end.js';
import { standingOf } from './standing.js';
import type { TaskFolder } from './task-folder.js';
import type { TaskKeeper } from './task-keeper.js';
import type { EndIntent, ExitRecord } from './task-records.js';
import { toExit } from './to-exit.js';
import { untilEnded } from './until-ended.js';
import { writeOnce } from './write-record.js';

/** Beside the grace: as long as force may take (child-process/force-tree.ts), and some more for a busy machine. */
const SUPERVISOR_LIMIT_MS = 10_000;

/** In between only its end is looked for. */
const LOOK_INTERVAL_MS = 250;

/**
 * Ends a task, whoever watches it. The intent is written first: a canceller that is killed, a supervisor that only
 * just starts, and one that is gone do not undo it.
 *
 * @returns the end, which may have come before; undefined where there is none yet, since the task runs out of reach, or
 *   it has been removed meanwhile
 */
export async function cancelTask(keeper: TaskKeeper, folder: TaskFolder): Promise<ExitRecord | undefined> {
  const cancellation = new Cancellation(keeper, folder);
  const first = await readRecords(folder);
  if (!first || first.exit) return first?.exit;
  await cancellation.announce();
  const limitMs = performance.now() + first.task.graceMs + SUPERVISOR_LIMIT_MS;
  do {
    const exit = await cancellation.advance();
    if (exit) return exit;
    await untilEnded(folder, LOOK_INTERVAL_MS);
  } while (performance.now() < limitMs);
  return cancellation.takeOver();
}

class Cancellation {
  private intent: EndIntent = { kind: 'cancel', at: new Date().toISOString() };
  private isWritten = false;
  private knockedAt: ProcessIdentity['pid'] | undefined;

  constructor(
    private readonly keeper: TaskKeeper,
    private readonly folder: TaskFolder,
  ) {}

  async announce(): Promise<void> {
    try {
      this.intent = await requestEnd(this.folder, 'cancel');
      this.isWritten = true;
    } catch {
      // A full disk: the supervisor takes a signal, too.
    }
  }

  async advance(): Promise<ExitRecord | undefined> {
    const records = await readRecords(this.folder);
    if (!records) throw new Error('The task has been removed.');
    const standing = standingOf(records);
    if (standing.kind === 'waiting') return this.refuseRun(records);
    if (standing.kind === 'supervised') return this.knock(standing.supervisor);
    const settled = await this.keeper.settle(this.folder, records);
    if ('exit' in settled) return settled.exit;
    return this.keeper.endRun(this.folder, new Orphan(this.folder, records), this.intent);
  }

  /** The supervisor hangs, or is stopped: what it should have done is done in its place. */
  async takeOver(): Promise<ExitRecord | undefined> {
    const records = await readRecords(this.folder);
    if (!records || records.exit) return records?.exit;
    const { claim } = records;
    const supervisor =
      typeof claim === 'object' && claim.kind === 'supervisor' ? claim.supervisor : undefined;
    // In another container or on another machine: it is told, and whether it hangs is not ours to judge.
    if (supervisor && !isFromHere(supervisor)) return undefined;
    const orphan = new Orphan(this.folder, records, supervisor ? [supervisor.pid] : []);
    const exit = await this.keeper.endRun(this.folder, orphan, this.intent);
    if (supervisor) signalProcess(supervisor, 'SIGKILL');
    return exit;
  }

  /** Nobody has taken the run, and nobody will. */
  private async refuseRun({ task }: TaskRecords): Promise<ExitRecord | undefined> {
    const isRefused = await writeOnce(this.folder.run, { kind: 'void' });
    return isRefused
      ? this.keeper.record(this.folder, toExit(task.spec, {}, this.intent, 'none'))
      : undefined;
  }

  /** So that it looks at once. The signal does nothing to a process that only just starts, and wakes one that is stopped. */
  private knock(supervisor: ProcessIdentity): undefined {
    if (this.knockedAt === supervisor.pid) return;
    this.knockedAt = supervisor.pid;
    if (process.platform === 'win32') return;
    signalProcess(supervisor, this.isWritten ? 'SIGCONT' : 'SIGTERM');
  }
}
