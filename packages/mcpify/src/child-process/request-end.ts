import { setTimeout as delay } from 'node:timers/promises';

import { mayBeAlive, type ProcessIdentity } from './process-identity.js';
import { signalProcess } from './signal-process.js';
import { keyOf, type MemberKey, type TreeMember, type TreeView } from './tree-members.js';

/** When to lose patience. Whoever joins may be in a greater hurry, so it can move. */
export interface Deadline {
  atMs: number;
}

/** Between two looks for newcomers, in milliseconds; those that are known are asked after more often. */
const LOOK_INTERVAL_MS = 150;
const POLL_INTERVAL_MS = { first: 4, most: 40 };

/**
 * Asks all members to end (SIGTERM) and waits until they are gone or the deadline has passed.
 *
 * @returns whether two looks in a row found nobody
 */
export async function requestEnd(view: TreeView, deadline: Deadline): Promise<boolean> {
  const asked = new Set<MemberKey>();
  let emptyLooks = 0;
  for (;;) {
    const members = view.look();
    emptyLooks = members?.length === 0 ? emptyLooks + 1 : 0;
    if (emptyLooks === 2) return true;
    if (performance.now() >= deadline.atMs) return false;
    askNewcomers(members ?? [], asked);
    await waitForEnd(members ?? [], deadline);
  }
}

/** A stopped process takes no signal but SIGCONT and SIGKILL; it is to have its chance, too. */
function askNewcomers(members: readonly TreeMember[], asked: Set<MemberKey>): void {
  const isFirst = asked.size === 0;
  const alive = new Set(members.map(({ identity }) => identity.pid));
  for (const { identity, parentPid, isStopped } of members) {
    // A child of a member that is cleaning up is a part of the clean-up. Once its parent is gone it is a leftover.
    if (asked.has(keyOf(identity)) || (!isFirst && alive.has(parentPid))) continue;
    asked.add(keyOf(identity));
    signalProcess(identity, 'SIGTERM');
    if (isStopped) signalProcess(identity, 'SIGCONT');
  }
}

/** Resolves when these members are gone, when it is time for the next look, or at the deadline. */
async function waitForEnd(members: readonly TreeMember[], deadline: Deadline): Promise<void> {
  const nextLookMs = performance.now() + LOOK_INTERVAL_MS;
  let left: ProcessIdentity[] = members.map(({ identity }) => identity);
  let intervalMs = POLL_INTERVAL_MS.first;
  do {
    await delay(Math.max(0, Math.min(intervalMs, deadline.atMs - performance.now())));
    left = left.filter(mayBeAlive);
    intervalMs = Math.min(intervalMs * 2, POLL_INTERVAL_MS.most);
  } while (left.length > 0 && performance.now() < Math.min(nextLookMs, deadline.atMs));
}
