import { listOpenTaskIds } from './list-tasks.js';
import { projectPath } from './project-folder.js';

/** Whether a CLI has tasks that may not have ended, of whatever server. Loads next to nothing. */
export async function hasOpenTasks(entry: string, stateDir: string | undefined): Promise<boolean> {
  return (await listOpenTaskIds(projectPath(entry, stateDir))).length > 0;
}
