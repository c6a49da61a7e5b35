import { mayBeAlive, type ProcessIdentity } from './process-identity.js';
import { processSource } from './process-source.js';
import { signalProcess } from './signal-process.js';
import { stopMembers } from './stop-members.js';
import { TreeView, type ProcessTree } from './tree-members.js';

/** A member inside of a write comes to its halt behind it; this is for slow disks. */
const HALT_LIMIT_MS = 500;

/**
 * Stops all members (SIGSTOP), so that the log can be cut without losing a byte (tasks.md, section 4). Synchronous:
 * when it returns, every thread has come to its halt. Who was stopped before stays so afterwards. Members of other
 * users cannot be stopped and run on. Windows cannot stop a process: nothing happens there.
 *
 * Whoever adopts the tree of a process that was killed between pause and resume calls `resumeTree`.
 *
 * @returns resumes those that were stopped; undefined where one did not halt within 500 ms: all run on as before, and
 *   the caller may try again later
 */
export function pauseTree(tree: ProcessTree): (() => void) | undefined {
  if (process.platform === 'win32') return () => {};
  const { stopped } = stopMembers(new TreeView(tree));
  const resume = () => {
    for (const identity of stopped.splice(0)) signalProcess(identity, 'SIGCONT');
  };
  if (haveHalted(stopped)) return resume;
  resume();
  return undefined;
}

/** Lets everybody of a tree run that is stopped, whoever did it. */
export function resumeTree(tree: ProcessTree): void {
  const members = new TreeView(tree).look() ?? [];
  for (const { identity, isStopped } of members) if (isStopped) signalProcess(identity, 'SIGCONT');
}

function haveHalted(members: readonly ProcessIdentity[]): boolean {
  const limitMs = performance.now() + HALT_LIMIT_MS;
  const sleepCell = new Int32Array(new SharedArrayBuffer(4));
  for (const identity of members) {
    while (!processSource.isStopped(identity.pid) && mayBeAlive(identity)) {
      if (performance.now() > limitMs) return false;
      Atomics.wait(sleepCell, 0, 0, 1);
    }
  }
  return true;
}
