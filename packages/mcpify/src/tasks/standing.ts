import { stateOf, type ProcessIdentity } from '../child-process/process-identity.js';
import type { TaskRecords } from './read-records.js';
import type { ExitRecord, TaskRecord } from './task-records.js';

/** Where a task stands, as far as its records and the processes that they name tell. */
export type Standing =
  | { readonly kind: 'ended'; readonly exit: ExitRecord }
  /** Nobody has taken the run yet. */
  | { readonly kind: 'waiting'; readonly isServerGone: boolean }
  /** Nobody ever will; the end is still to be recorded. */
  | { readonly kind: 'void' }
  /** Its supervisor lives, or is not ours to judge. */
  | { readonly kind: 'supervised'; readonly supervisor: ProcessIdentity; readonly hasChild: boolean }
  /** Its supervisor is gone. */
  | { readonly kind: 'orphaned' }
  /** Of its processes nobody can be left. */
  | { readonly kind: 'host-restarted' };

/** @throws where the system cannot tell just now: any answer would be a guess */
export function standingOf({ task, claim, child, exit }: TaskRecords): Standing {
  if (exit) return { kind: 'ended', exit };
  if (claim === undefined) return { kind: 'waiting', isServerGone: isServerGone(task) };
  if (claim === 'damaged') return { kind: 'orphaned' };
  if (claim.kind === 'void') return { kind: 'void' };
  const state = stateOf(claim.supervisor);
  if (state === 'gone') return { kind: 'orphaned' };
  if (state === 'host-restarted') return { kind: 'host-restarted' };
  return { kind: 'supervised', supervisor: claim.supervisor, hasChild: child !== undefined };
}

/** Alive, or not ours to judge. @throws where the system cannot tell just now */
export function isThere(identity: ProcessIdentity): boolean {
  const state = stateOf(identity);
  return state === 'alive' || state === 'elsewhere';
}

/** Of whoever was to start it. One of another container or machine is not ours to judge. */
export function isServerGone({ server }: TaskRecord): boolean {
  return !server || !isThere(server);
}

/** Whether another server can start it: what it needs is in its record, and it is not to end with its server. */
export function canBeTakenOver({ carriesSecrets, spec }: TaskRecord): boolean {
  return !carriesSecrets && !spec.tie;
}
