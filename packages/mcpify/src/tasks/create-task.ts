import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rm } from 'node:fs/promises';

import { identify } from '../child-process/process-identity.js';
import type { EmbeddedSettings } from './embedded-settings.js';
import { prepareProject } from './project-folder.js';
import { reserveExit } from './record-exit.js';
import { TaskRefusedError, type Caller, type Secrets, type TaskSpec } from './task-backend.js';
import { openTaskPath, taskFolder, type TaskFolder } from './task-folder.js';
import { newTaskId } from './task-id.js';
import type { TaskRecord } from './task-records.js';
import { NEW_FILE, writeBehind, writeFile } from './write-record.js';

export interface NewTask {
  readonly folder: TaskFolder;
  readonly record: TaskRecord;
}

/**
 * Stores a task that is to run. From the moment of its return every process with access sees it.
 *
 * @throws TaskRefusedError where it cannot be stored; nothing is left then
 */
export async function createTask(
  projectPath: string,
  { spec, secrets, caller }: { readonly spec: TaskSpec; readonly secrets: Secrets; readonly caller: Caller },
  settings: Pick<EmbeddedSettings, 'graceMs' | 'logCapBytes'>,
): Promise<NewTask> {
  const server = identify(process.pid);
  if (!server)
    throw new TaskRefusedError('This system does not tell of its processes: no task can be watched.');
  const nowMs = Date.now();
  const folder = taskFolder(projectPath, newTaskId(nowMs));
  const record: TaskRecord = {
    taskId: folder.taskId,
    spec,
    ...(caller.owner !== undefined && { owner: caller.owner }),
    token: randomUUID(),
    createdAt: new Date(nowMs).toISOString(),
    server,
    carriesSecrets: secrets.argv !== undefined,
    graceMs: settings.graceMs,
    logCapBytes: settings.logCapBytes,
  };
  await store(folder, record);
  return { folder, record };
}

/** What goes out of here is in the hands of the system; its supervisor brings it onto the disk. */
async function store(folder: TaskFolder, record: TaskRecord): Promise<void> {
  const mark = openTaskPath(folder.projectPath, folder.taskId);
  try {
    await makeTaskFolder(folder);
    const [finish] = await Promise.all([
      writeBehind(folder.meta, JSON.stringify(record)),
      writeFile(mark, '', { flags: NEW_FILE }),
      reserveExit(folder),
    ]);
    await finish();
  } catch (error) {
    await rm(folder.path, { recursive: true, force: true }).catch(() => {});
    await rm(mark, { force: true }).catch(() => {});
    throw new TaskRefusedError(
      `The task could not be stored, and was not started: ${(error as Error).message}. The setting "stateDir" names the folder.`,
      { cause: error },
    );
  }
}

async function makeTaskFolder({ path, projectPath }: TaskFolder): Promise<void> {
  prepareProject(projectPath);
  await mkdir(path, 0o700);
  await chmod(path, 0o700);
}
