import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { startSupervisor, type StartedSupervisor } from '../child-process/start-supervisor.js';
import { toOrderLine } from './supervisor/supervisor-orders.js';
import type { Secrets } from './task-backend.js';
import type { NewTask } from './create-task.js';

const SUPERVISOR_SCRIPT = fileURLToPath(new URL('./supervisor/main.js', import.meta.url));

/**
 * Starts the supervisor of a task.
 *
 * @param env the command's whole environment
 * @returns undefined where somebody has taken the run, or has seen to it that nobody will
 */
export function launchTask(
  { folder, record }: NewTask,
  secrets: Secrets,
  env: NodeJS.ProcessEnv,
): StartedSupervisor | undefined {
  if (existsSync(folder.run)) return undefined;
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return startSupervisor({
    script: SUPERVISOR_SCRIPT,
    args: [folder.projectPath, folder.taskId],
    cwd: folder.path,
    orders: toOrderLine({ env: Object.fromEntries(set), argv: secrets.argv }),
    holdsLine: record.spec.tie,
  });
}
