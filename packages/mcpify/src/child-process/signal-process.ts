import { stateOf, type ProcessIdentity } from './process-identity.js';

/** `refused`: this process may not signal it (another user's), or cannot look who it is. */
export type SignalResult = 'sent' | 'gone' | 'refused';

/**
 * Signals one process, never another one that has its number by now: the start time is read right before. Between
 * the two calls some microseconds are left, in which the number would have to go all the way round; Node has no pidfd.
 */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): SignalResult {
  // 0 and negative numbers are whole groups, 1 is the system's own.
  if (identity.pid <= 1 || identity.pid === process.pid) return 'refused';
  try {
    if (stateOf(identity) !== 'alive') return 'gone';
    process.kill(identity.pid, signal);
    return 'sent';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? 'gone' : 'refused';
  }
}
