import { closeSync, fchmodSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import { childCommand } from '../../child-process/child-command.js';
import { identify } from '../../child-process/process-identity.js';
import { TREE_TOKEN_VARIABLE } from '../../child-process/process-tree.js';
import { startTaskChild, type TaskChild } from '../../child-process/start-task-child.js';
import { readRecords } from '../read-records.js';
import { recordExit } from '../record-exit.js';
import { canBeTakenOver } from '../standing.js';
import type { TaskFolder } from '../task-folder.js';
import type { ExitRecord, TaskRecord } from '../task-records.js';
import { toExit, toFailure, toSpawnFailure } from '../to-exit.js';
import { sync, writeOnce } from '../write-record.js';
import { listenForEnd } from './end-signals.js';
import { readOrderLine, type OrderLine, type SupervisorOrders } from './supervisor-orders.js';
import { watchRun } from './watch-run.js';

/**
 * One task from the claim to the record of its end. Nothing is done before the claim: whoever loses it has nothing to do
 * with the task. Where the server was killed before its orders had left it, a task that another server can start is left
 * to that one.
 */
export async function supervise(folder: TaskFolder, input: Readable): Promise<void> {
  const line = readOrderLine(input);
  const toldToEnd = listenForEnd();
  if (!(await line.orders) && (await canWaitForAnother(folder))) return;
  const claim = await claimRun(folder);
  if (claim !== 'lost') await recordStubbornly(folder, claim ?? (await runTask(folder, line, toldToEnd)));
}

async function canWaitForAnother(folder: TaskFolder): Promise<boolean> {
  const records = await readRecords(folder);
  return !records || canBeTakenOver(records.task);
}

/** @returns undefined where this process has the run now; an end where nobody can have it */
async function claimRun(folder: TaskFolder): Promise<ExitRecord | 'lost' | undefined> {
  const supervisor = identify(process.pid);
  if (!supervisor) return toFailure('spawn-error', 'This system does not tell of its processes.');
  try {
    await sync(folder.meta);
    // A claim that a loss of power undoes would let the next server run the command a second time.
    const isFirst = await writeOnce(folder.run, { kind: 'supervisor', supervisor }, { isDurable: true });
    return isFirst ? undefined : 'lost';
  } catch (error) {
    // A full disk. Without the claim the run could be taken a second time; its end has a place of its own.
    return toFailure('spawn-error', `The run could not be recorded: ${(error as Error).message}`);
  }
}

async function runTask(folder: TaskFolder, line: OrderLine, toldToEnd: Promise<void>): Promise<ExitRecord> {
  const orders = await line.orders;
  const records = await readRecords(folder);
  if (!orders || !records) return toFailure('never-started', NO_ORDERS);
  const { task, exit, intent } = records;
  if (exit) return exit;
  if (intent) return toExit(task.spec, {}, intent, 'supervisor');
  try {
    const child = await startChild(folder, task, orders);
    return await watchRun(folder, task, child, { toldToEnd, serverGone: line.closed });
  } catch (error) {
    return toSpawnFailure(task.spec, error);
  }
}

const NO_ORDERS = 'The server ended before the command line had left it; the command was not run.';

async function startChild(
  folder: TaskFolder,
  { spec, token }: TaskRecord,
  { env, argv }: SupervisorOrders,
): Promise<TaskChild> {
  const command = childCommand(
    spec,
    { argv },
    {
      env: { ...env, [TREE_TOKEN_VARIABLE]: token },
      witnessPath: folder.witness,
      questions: spec.asks ? { folder: folder.path } : undefined,
    },
  );
  const logFd = openSync(folder.log, 'a', 0o600);
  fchmodSync(logFd, 0o600);
  const child = startTaskChild(command, { cwd: spec.cwd, logFd });
  closeSync(logFd);
  if (child.identity) await recordChild(folder, child);
  return child;
}

async function recordChild(folder: TaskFolder, { identity }: TaskChild): Promise<void> {
  try {
    await writeOnce(folder.child, {
      identity,
      startedAt: new Date().toISOString(),
      startedAtMonotonicMs: Number(process.hrtime.bigint() / 1_000_000n),
    });
  } catch {
    // A full disk. It is known by the other marks of its tree, too.
  }
}

const RETRY_MS = 1_000;
const MAX_RETRIES = 600;

/** The end is known here and nowhere else: it is told as soon as it can be written. */
async function recordStubbornly(folder: TaskFolder, exit: ExitRecord): Promise<void> {
  for (let tries = 0; tries <= MAX_RETRIES; tries += 1) {
    try {
      await recordExit(folder, exit);
      return;
    } catch (error) {
      // The whole folder has been removed.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      await delay(RETRY_MS);
    }
  }
}
