import { forceTree, type TreeEnd } from './force-tree.js';
import { canListProcesses } from './process-source.js';
import { requestEnd, type Deadline } from './request-end.js';
import { TreeView, type ProcessTree } from './tree-members.js';
import { endWindowsTree } from './windows-tree.js';

/**
 * Ends a whole tree: SIGTERM, the grace time, then SIGSTOP and SIGKILL until two looks in a row find nobody. Resolves
 * as soon as all are gone, after `graceMs` + 5 s at the latest (and the time of one look, some milliseconds).
 *
 * A second call for the same tree in this process joins the first one: nobody gets a second SIGTERM, which many
 * programs take for "at once". The shorter grace holds.
 *
 * On Windows there is no SIGTERM: the tree is killed at once.
 *
 * @param options.graceMs 0: kills at once
 */
export function endTree(tree: ProcessTree, { graceMs }: { readonly graceMs: number }): Promise<TreeEnd> {
  const key = JSON.stringify([tree.root, tree.token]);
  const atMs = performance.now() + graceMs;
  const running = runningEnds.get(key);
  if (running) {
    running.deadline.atMs = Math.min(running.deadline.atMs, atMs);
    return running.end;
  }
  const deadline = { atMs };
  const end = endNow(tree, deadline).finally(() => runningEnds.delete(key));
  runningEnds.set(key, { end, deadline });
  return end;
}

const runningEnds = new Map<string, { readonly end: Promise<TreeEnd>; readonly deadline: Deadline }>();

async function endNow(tree: ProcessTree, deadline: Deadline): Promise<TreeEnd> {
  if (process.platform === 'win32') return endWindowsTree(tree);
  const view = new TreeView(tree);
  // Where nobody can be told from a stranger, nobody is signalled; to say "gone" would be a guess.
  if (!canListProcesses()) return { survivors: view.unlessGone(), forced: false };
  if (await requestEnd(view, deadline)) return { survivors: [], forced: false };
  return forceTree(view);
}
