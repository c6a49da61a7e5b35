import { setTimeout as delay } from 'node:timers/promises';

import { mayBeAlive, type ProcessIdentity } from './process-identity.js';
import { signalProcess } from './signal-process.js';
import { stopMembers } from './stop-members.js';
import type { TreeView } from './tree-members.js';

export interface TreeEnd {
  /** Who could not be ended: another user's, or stuck in the kernel. */
  readonly survivors: ProcessIdentity[];
  /** Somebody had to be killed. */
  readonly forced: boolean;
}

/** A process can be stuck in the kernel for ever; whoever waits for its end shall not be. */
const FORCE_LIMIT_MS = 5_000;

/**
 * Kills all members, newcomers too, until two looks in a row find nobody. They are stopped first: one that runs could
 * start others faster than they are found.
 */
export async function forceTree(view: TreeView): Promise<TreeEnd> {
  const limitMs = performance.now() + FORCE_LIMIT_MS;
  let forced = false;
  for (let emptyLooks = 0; emptyLooks < 2;) {
    const members = stopMembers(view).members?.map(({ identity }) => identity);
    const results = (members ?? []).map((identity) => signalProcess(identity, 'SIGKILL'));
    const killed = (members ?? []).filter((_, index) => results[index] === 'sent');
    forced ||= killed.length > 0;
    emptyLooks = members?.length === 0 ? emptyLooks + 1 : 0;
    const isHopeless = results.includes('refused') && killed.length === 0;
    if (isHopeless || performance.now() >= limitMs)
      return { survivors: members ?? view.unlessGone(), forced };
    await untilGone(killed, limitMs);
  }
  return { survivors: [], forced };
}

async function untilGone(processes: readonly ProcessIdentity[], limitMs: number): Promise<void> {
  let left = processes;
  do {
    await delay(2);
    left = left.filter(mayBeAlive);
  } while (left.length > 0 && performance.now() < limitMs);
}
