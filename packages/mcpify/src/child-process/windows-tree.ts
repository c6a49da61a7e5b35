import type { TreeEnd } from './force-tree.js';
import { stateOf } from './process-identity.js';
import type { ProcessTree } from './tree-members.js';

/** `taskkill /T /F`, by tree-kill: it knows the children of a root that lives, and none of one that has ended. */
export async function endWindowsTree({ root }: ProcessTree): Promise<TreeEnd> {
  if (!root || stateOf(root) !== 'alive') return { survivors: [], forced: false };
  const { default: treeKill } = await import('tree-kill');
  await new Promise<void>((resolve) => {
    // Its error says in words what the state says below.
    treeKill(root.pid, 'SIGKILL', () => resolve());
  });
  return { survivors: stateOf(root) === 'alive' ? [root] : [], forced: true };
}
