import { pauseTree, type ProcessTree } from '../../child-process/process-tree.js';
import { cutLog } from './cut-log.js';
import { sizeOf, type LogFiles } from './log-files.js';

/**
 * Keeps a log, and what is kept of its past, below the cap. For whoever watches the run, some ten times a second: what
 * is written between two looks comes on top for that long. The tree stands still for the cut, so that no byte is lost;
 * Windows cannot stop a process, and what is written there during the cut is lost.
 *
 * @param tree whoever may write to the log
 * @returns whether it was cut
 * @throws what the file system says; the log is whole then
 */
export function capLog(files: LogFiles, capBytes: number, tree: ProcessTree): boolean {
  const share = Math.floor(capBytes / 2);
  const size = sizeOf(files.log);
  if (size <= share) return false;
  const resume = pauseTree(tree);
  // One that does not halt, in the middle of slow I/O perhaps: another time, unless the disk is at stake.
  if (!resume && size <= capBytes) return false;
  try {
    cutLog(files, share);
    return true;
  } finally {
    resume?.();
  }
}
