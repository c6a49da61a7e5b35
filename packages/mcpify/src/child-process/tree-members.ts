import { statSync } from 'node:fs';

import { identityOf, isFromHere, mayBeAlive, type ProcessIdentity } from './process-identity.js';
import {
  processSource,
  type FileIdentity,
  type ProcessEntry,
  type ProcessSnapshot,
} from './process-source.js';

/** What binds the processes of one run together: any of these marks makes a process a member. */
export interface ProcessTree {
  /**
   * The process at the top: everything of its process group, its session and its descendants belongs to it. Undefined
   * where nobody knows it; the other marks still count.
   */
  readonly root: ProcessIdentity | undefined;
  /** The value of `TREE_TOKEN_VARIABLE` in the environment that the root was started with. Empty: no such mark. */
  readonly token: string;
  /** The run's log: who writes to it (O_APPEND) is a member, who reads it is not. */
  readonly logPath?: string | undefined;
  /** Never members. This process and its ancestors never are, listed or not. */
  readonly spare?: readonly number[] | undefined;
  /**
   * This process started the root and has not lost sight of it since. Then a group whose leader, the root, has ended
   * is still the root's; else a stranger could have led it since, and a member of it must carry another mark.
   *
   * @default false
   */
  readonly isWatched?: boolean | undefined;
}

/** The environment variable that carries `ProcessTree.token`. */
export const TREE_TOKEN_VARIABLE = 'MCPIFY_TREE_TOKEN';

export interface TreeMember {
  readonly identity: ProcessIdentity;
  readonly parentPid: number;
  readonly isStopped: boolean;
}

export type MemberKey = `${number}:${string}`;

export function keyOf({ pid, startTime }: Pick<ProcessIdentity, 'pid' | 'startTime'>): MemberKey {
  return `${pid}:${startTime}`;
}

/**
 * Looks for the members of one tree, again and again. Whoever was found once stays a member, with its group, session
 * and children, also after losing the mark that it was found by (`setsid`, a parent that ended).
 */
export class TreeView {
  private readonly remembered = new Map<number, ProcessIdentity>();

  constructor(private readonly tree: ProcessTree) {
    if (tree.root && tree.isWatched) this.remembered.set(tree.root.pid, tree.root);
  }

  /** The members that live now; undefined where the system does not tell, or this process is out of descriptors. */
  look(): TreeMember[] | undefined {
    try {
      return this.search();
    } catch {
      return undefined;
    }
  }

  /** Whoever was ever known and is not known to be gone: for want of a look. */
  unlessGone(): ProcessIdentity[] {
    const { root } = this.tree;
    const known = new Map([...(root ? [[root.pid, root] as const] : []), ...this.remembered]);
    return [...known.values()].filter(mayBeAlive);
  }

  private search(): TreeMember[] | undefined {
    // Numbers of another container or machine, or from before a restart, mean strangers here.
    if (this.tree.root && !isFromHere(this.tree.root)) return [];
    const snapshot = processSource.takeSnapshot();
    if (!snapshot) return undefined;
    return new MemberSearch(this.tree, snapshot, this.remembered).run().map((entry) => {
      const identity = identityOf(entry);
      this.remembered.set(identity.pid, identity);
      return { identity, parentPid: entry.parentPid, isStopped: entry.state === 'stopped' };
    });
  }
}

/** One search through one snapshot. */
class MemberSearch {
  private readonly found = new Set<ProcessEntry>();
  /** Nobody is older than the root that is of its tree: most processes of a machine are out of question at once. */
  private readonly candidates: ReadonlySet<ProcessEntry>;
  private readonly byParent: Map<number, ProcessEntry[]>;
  private readonly byGroup: Map<number, ProcessEntry[]>;
  private readonly bySession: Map<number, ProcessEntry[]>;
  private readonly log: FileIdentity | undefined;

  constructor(
    private readonly tree: ProcessTree,
    private readonly snapshot: ProcessSnapshot,
    private readonly remembered: ReadonlyMap<number, ProcessIdentity>,
  ) {
    const spared = sparedPids(tree, snapshot);
    this.log = fileAt(tree.logPath);
    const since = Number(tree.root?.startTime ?? 0);
    const candidates = [...snapshot.processes.values()].filter(
      ({ pid, startTime, state }) => Number(startTime) >= since && state !== 'ended' && !spared.has(pid),
    );
    this.candidates = new Set(candidates);
    this.byParent = groupBy(candidates, ({ parentPid }) => parentPid);
    this.byGroup = groupBy(candidates, ({ groupId }) => groupId);
    this.bySession = groupBy(candidates, ({ sessionId }) => sessionId);
  }

  run(): ProcessEntry[] {
    const { root } = this.tree;
    for (const known of this.remembered.values()) this.addFamily(known, true);
    if (root) this.addFamily(root, false);
    for (const entry of this.candidates) if (this.isMarked(entry)) this.add(entry);
    if (root && !this.snapshot.processes.has(root.pid) && this.hasMemberIn(root.pid)) {
      this.addFamily(root, true);
    }
    return [...this.found].sort((a, b) => Number(a.startTime) - Number(b.startTime));
  }

  /**
   * A known process and whatever it leads. A number is not given to another process while a group or session of that
   * number lasts; but after its end both may be a stranger's, unless somebody kept watch.
   */
  private addFamily({ pid, startTime }: ProcessIdentity, isWatched: boolean): void {
    const entry = this.snapshot.processes.get(pid);
    if (entry ? entry.startTime !== startTime : !isWatched) return;
    if (entry) this.add(entry);
    // Ended, but not yet taken note of: what it led is there all the same.
    this.addLedBy(pid);
  }

  private add(entry: ProcessEntry): void {
    if (this.found.has(entry) || !this.candidates.has(entry)) return;
    this.found.add(entry);
    // A child is no older than its parent; else the parent's number is a reused one.
    const children = this.byParent.get(entry.pid) ?? [];
    this.addAll(children.filter(({ startTime }) => Number(startTime) >= Number(entry.startTime)));
    this.addLedBy(entry.pid);
  }

  private addLedBy(pid: number): void {
    this.addAll(this.byGroup.get(pid));
    this.addAll(this.bySession.get(pid));
  }

  private addAll(entries: readonly ProcessEntry[] = []): void {
    for (const entry of entries) this.add(entry);
  }

  private isMarked(entry: ProcessEntry): boolean {
    if (this.found.has(entry)) return false;
    const { token } = this.tree;
    if (token !== '' && this.snapshot.hasInEnvironment(entry.pid, `${TREE_TOKEN_VARIABLE}=${token}`))
      return true;
    return this.log !== undefined && this.snapshot.appendsTo(entry.pid, this.log);
  }

  private hasMemberIn(leaderPid: number): boolean {
    return [...this.found].some(({ groupId, sessionId }) => groupId === leaderPid || sessionId === leaderPid);
  }
}

function fileAt(path: string | undefined): FileIdentity | undefined {
  if (path === undefined) return undefined;
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

function groupBy(
  entries: readonly ProcessEntry[],
  idOf: (entry: ProcessEntry) => number,
): Map<number, ProcessEntry[]> {
  const groups = new Map<number, ProcessEntry[]>();
  for (const entry of entries) {
    const group = groups.get(idOf(entry));
    if (group) group.push(entry);
    else groups.set(idOf(entry), [entry]);
  }
  return groups;
}

/** Whoever asks is never a member, nor is whatever started it: a task may itself end trees. */
function sparedPids(tree: ProcessTree, snapshot: ProcessSnapshot): Set<number> {
  const ancestors = new Set([0, 1]);
  for (let pid = process.pid; !ancestors.has(pid); pid = snapshot.processes.get(pid)?.parentPid ?? 0) {
    ancestors.add(pid);
  }
  return new Set([...ancestors, ...(tree.spare ?? [])]);
}
