import type { ProcessIdentity } from './process-identity.js';
import { signalProcess } from './signal-process.js';
import { keyOf, type MemberKey, type TreeMember, type TreeView } from './tree-members.js';

/** Each look finds what the ones not yet stopped have started meanwhile: far more than any tree needs. */
const MAX_LOOKS = 30;

/** SIGSTOP to all members that run, until a look finds nobody new. Synchronous: nothing of ours comes between. */
export function stopMembers(view: TreeView): StoppedTree {
  const signalled = new Set<MemberKey>();
  const stopped: ProcessIdentity[] = [];
  for (let looks = 1; ; looks += 1) {
    const members = view.look();
    const running = (members ?? []).filter(
      ({ identity, isStopped }) => !isStopped && !signalled.has(keyOf(identity)),
    );
    if (running.length === 0 || looks === MAX_LOOKS) return { members, stopped };
    for (const { identity } of running) {
      signalled.add(keyOf(identity));
      if (signalProcess(identity, 'SIGSTOP') === 'sent') stopped.push(identity);
    }
  }
}

interface StoppedTree {
  /** Of the last look; undefined where it could not be told. */
  readonly members: readonly TreeMember[] | undefined;
  /** Who ran before and could be signalled. */
  readonly stopped: ProcessIdentity[];
}
