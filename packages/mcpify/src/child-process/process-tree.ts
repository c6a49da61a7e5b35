import { TreeView, type ProcessTree } from './tree-members.js';
import type { ProcessIdentity } from './process-identity.js';

export { endTree } from './end-tree.js';
export { pauseTree, resumeTree } from './pause-tree.js';
export { TREE_TOKEN_VARIABLE, type ProcessTree } from './tree-members.js';

/**
 * Who of a tree lives now, oldest first. On Windows, where children cannot be listed, its root at most.
 *
 * Out of reach, and ended by nothing but a PID namespace or a cgroup: a process that has given up all of the marks,
 * environment, session, parent and log, before anybody looked (tasks.md, section 2).
 */
export function membersOf(tree: ProcessTree): ProcessIdentity[] {
  return (new TreeView(tree).look() ?? []).map(({ identity }) => identity);
}
