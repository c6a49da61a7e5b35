import { lstatSync } from 'node:fs';

import { endTree, type ProcessTree } from '../../child-process/process-tree.js';
import type { ProcessEnd } from '../../child-process/run-child.js';
import type { TaskChild } from '../../child-process/start-task-child.js';
import { capLog } from '../output/cap-log.js';
import { readIntent } from '../read-records.js';
import { requestEnd } from '../request-end.js';
import type { TaskFolder } from '../task-folder.js';
import type { EndIntent, ExitRecord, TaskRecord } from '../task-records.js';
import { describeSurvivors, toExit, toSpawnFailure } from '../to-exit.js';
import { AwakeClock } from './awake-clock.js';

/** How often it looks at the clock, for a cancel, and at the size of the log. */
const TICK_MS = 100;

/** What a command has left running was not asked for: a short grace. */
const LEFTOVER_GRACE_MS = 200;

/** Watches a run until its end, brings that about where it has to, and ends what is left of it. */
export function watchRun(
  folder: TaskFolder,
  task: TaskRecord,
  child: TaskChild,
  events: RunEvents,
): Promise<ExitRecord> {
  return new RunWatch(folder, task, child, events).watch();
}

export interface RunEvents {
  /** This process has been told to end. */
  readonly toldToEnd: Promise<void>;
  readonly serverGone: Promise<void>;
}

class RunWatch {
  private readonly clock = new AwakeClock();
  private readonly tree: ProcessTree;
  private intent: EndIntent | undefined;
  private treeEnd: ReturnType<typeof endTree> | undefined;
  private isOver = false;
  private giveUp: (() => void) | undefined;

  constructor(
    private readonly folder: TaskFolder,
    private readonly task: TaskRecord,
    private readonly child: TaskChild,
    private readonly events: RunEvents,
  ) {
    this.tree = { root: child.identity, token: task.token, logPath: folder.log, isWatched: true };
  }

  async watch(): Promise<ExitRecord> {
    const stuck = new Promise<undefined>((resolve) => {
      this.giveUp = () => resolve(undefined);
    });
    this.listen();
    const ticker = setInterval(() => void this.tick(), TICK_MS);
    const end = await Promise.race([this.child.ended, stuck]);
    this.isOver = true;
    const intent = this.intent ?? (end?.kind === 'killed' ? await this.intentOfAnother() : undefined);
    if (end?.kind === 'notStarted') {
      clearInterval(ticker);
      return toSpawnFailure(this.task.spec, end.error);
    }
    // Whoever has an intent of its own may be gone again before it has ended the rest.
    if (intent && !this.treeEnd) this.end(this.task.graceMs);
    if (!intent && this.task.spec.leftovers === 'kill') this.end(LEFTOVER_GRACE_MS);
    const survivors = (await this.treeEnd)?.survivors ?? [];
    clearInterval(ticker);
    const exit = toExit(this.task.spec, observedOf(end), intent, 'supervisor');
    return survivors.length === 0 ? exit : { ...exit, message: describeSurvivors(survivors) };
  }

  private listen(): void {
    const { toldToEnd, serverGone } = this.events;
    void toldToEnd.then(() => this.request('cancel'));
    if (this.task.spec.tie) void serverGone.then(() => this.request('server-gone'));
    // Whoever has written an intent may knock: this signal does nothing to a process that does not listen.
    if (process.platform !== 'win32') process.on('SIGCONT', () => void this.tick());
  }

  private async tick(): Promise<void> {
    this.clock.tick();
    this.capLog();
    if (this.isOver || this.intent) return;
    const { timeoutMs } = this.task.spec;
    if (timeoutMs !== undefined && this.clock.elapsedMs >= timeoutMs) await this.request('timeout');
    else if (isThere(this.folder.cancel)) this.obey(await this.readIntent('cancel'));
  }

  private capLog(): void {
    try {
      capLog(this.folder, this.task.logCapBytes, this.tree);
    } catch {
      // Another time.
    }
  }

  private async request(kind: EndIntent['kind']): Promise<void> {
    if (this.isOver || this.intent) return;
    try {
      this.obey(await requestEnd(this.folder, kind));
    } catch {
      // It cannot be written; that is no reason not to do it.
      this.obey({ kind, at: new Date().toISOString() });
    }
  }

  private async readIntent(ifUnreadable: EndIntent['kind']): Promise<EndIntent> {
    const standIn: EndIntent = { kind: ifUnreadable, at: new Date().toISOString() };
    return (await readIntent(this.folder).catch(() => standIn)) ?? standIn;
  }

  /** Where a server took this supervisor for gone, it has ended the run itself, for an intent that is not seen here yet. */
  private async intentOfAnother(): Promise<EndIntent | undefined> {
    const endedAtMs = Date.now();
    const intent = await readIntent(this.folder).catch(() => undefined);
    return intent && Date.parse(intent.at) <= endedAtMs ? intent : undefined;
  }

  /** The first end wins: a command that has ended meanwhile was not cancelled. */
  private obey(intent: EndIntent): void {
    if (this.isOver || this.intent) return;
    this.intent = intent;
    this.end(this.task.graceMs);
  }

  private end(graceMs: number): void {
    const ending = endTree(this.tree, { graceMs });
    this.treeEnd = ending;
    // Stuck in the kernel: nobody waits for that.
    void ending.then(({ survivors }) => {
      if (survivors.length > 0) this.giveUp?.();
    });
  }
}

function observedOf(end: ProcessEnd | undefined): { exitCode?: number; signal?: string } {
  if (end?.kind === 'exited') return { exitCode: end.exitCode };
  return end?.kind === 'killed' ? { signal: end.signal } : {};
}

/** Even a link to nowhere, which is a damaged record, says that the run is to end. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
