import { stateOf } from '../child-process/process-identity.js';
import { endTree, resumeTree, type ProcessTree } from '../child-process/process-tree.js';
import { TreeView } from '../child-process/tree-members.js';
import { readWitness, type Witness } from '../child-process/witness.js';
import { capLog } from './output/cap-log.js';
import { settleCut } from './output/cut-log.js';
import type { TaskRecords } from './read-records.js';
import type { TaskFolder } from './task-folder.js';
import type { EndIntent, ExitRecord } from './task-records.js';
import { describeSurvivors, toExit, toFailure } from './to-exit.js';

/** What a command has left running was not asked for: a short grace. */
const LEFTOVER_GRACE_MS = 200;

const NO_ARGUMENTS = 'The process that was to hand over the arguments was killed; the command was not run.';

/** A run whose supervisor is gone: whoever looks after tasks takes its place. */
export class Orphan {
  private readonly tree: ProcessTree;

  constructor(
    private readonly folder: TaskFolder,
    private readonly records: TaskRecords,
    /** Never a member: a supervisor that hangs has the log open. */
    spare: readonly number[] = [],
  ) {
    const { child, task } = records;
    this.tree = { root: child?.identity, token: task.token, logPath: folder.log, spare };
  }

  /** The command itself, whatever it has left running. @throws where the system cannot tell just now */
  isRunning(): boolean {
    const { child } = this.records;
    if (child) return stateOf(child.identity) === 'alive';
    return !this.readWitness() && this.hasMembers();
  }

  hasLeftovers(): boolean {
    return this.records.task.spec.leftovers === 'kill' && this.hasMembers();
  }

  /** A supervisor that was killed while it cut the log has left the command stopped. */
  resume(): void {
    try {
      settleCut(this.folder);
    } catch {
      // A full disk: some output is lost, but the command goes on.
    }
    resumeTree(this.tree);
  }

  capLog(): void {
    capLog(this.folder, this.records.task.logCapBytes, this.tree);
  }

  /** The deadline has passed, in awake time where the system counts that. */
  isOverdue(): boolean {
    const { task, child } = this.records;
    const { timeoutMs } = task.spec;
    if (timeoutMs === undefined) return false;
    const elapsedMs = child
      ? Number(process.hrtime.bigint() / 1_000_000n) - child.startedAtMonotonicMs
      : Date.now() - Date.parse(task.createdAt);
    return elapsedMs >= timeoutMs;
  }

  /** Ends what is left of it; resolves with its end. */
  async end(intent: EndIntent | undefined): Promise<ExitRecord> {
    const graceMs = intent ? this.records.task.graceMs : LEFTOVER_GRACE_MS;
    const { survivors } = await endTree(this.tree, { graceMs });
    const exit = this.seenEnd(intent);
    if (survivors.length === 0) return exit;
    return { ...exit, message: describeSurvivors(survivors) };
  }

  /** What is known of an end that nobody watched. */
  seenEnd(intent: EndIntent | undefined, isHostRestarted = false): ExitRecord {
    const { spec } = this.records.task;
    const witness = this.readWitness();
    // The first end wins: it had ended when it was told to.
    const isLate = witness && intent && Date.parse(witness.endedAt) < Date.parse(intent.at);
    if (witness?.neverStarted && (!intent || isLate)) return toFailure('never-started', NO_ARGUMENTS);
    if (witness && (!intent || isLate)) {
      return { ...toExit(spec, witness, undefined, 'witness'), endedAt: witness.endedAt };
    }
    if (intent) return toExit(spec, { exitCode: witness?.exitCode }, intent, witness ? 'witness' : 'none');
    return toFailure(isHostRestarted ? 'host-restarted' : 'lost');
  }

  /** One of another process says nothing about the command. */
  private readWitness(): Witness | undefined {
    const witness = readWitness(this.folder.witness);
    const { child } = this.records;
    return child && witness?.pid !== child.identity.pid ? undefined : witness;
  }

  private hasMembers(): boolean {
    const members = new TreeView(this.tree).look();
    // Out of descriptors: "nobody is left" would be a guess.
    if (!members) throw new Error('The system does not tell of its processes just now.');
    return members.length > 0;
  }
}
