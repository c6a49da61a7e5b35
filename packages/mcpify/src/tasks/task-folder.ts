import { join } from 'node:path';

/**
 * The files of one task (tasks.md, section 10). Each appears by one step of the file system: nobody reads a part of it.
 * What the records hold: `task-records.ts`.
 */
export interface TaskFolder {
  readonly taskId: string;
  /** The folder of all tasks of its project. */
  readonly projectPath: string;
  /** The folder itself, mode 0700; the files in it have 0600. */
  readonly path: string;
  /** `TaskRecord`, written before the id is given out. A folder without it is no task. */
  readonly meta: string;
  /** `RunClaim`: whose the run is. The first writer wins. */
  readonly run: string;
  /** `ChildRecord`, the first writer wins. */
  readonly child: string;
  /** `EndIntent`: the run is to end, and why. The first writer wins. */
  readonly cancel: string;
  /** `AdopterRecord`: the server that looks after the log of a run whose supervisor is gone. */
  readonly adopter: string;
  /** stdout and stderr of the command, in the order of writing. Appended to, and cut by the log cap alone. */
  readonly log: string;
  /** What stood in the log before its last cut, or the end of it. */
  readonly logPrev: string;
  /** The offset of the first byte of `log`, a decimal number as text. Missing: 0. */
  readonly logBase: string;
  /** Space for `exit`, so that a full disk loses no exit code. */
  readonly reserve: string;
  /** `Witness` of the command's own process (child-process/witness.ts). */
  readonly witness: string;
  /** `ExitRecord`: how the task ended. The first writer wins, and its bytes never change. */
  readonly exit: string;
}

/** @param projectPath the folder of all tasks of one project */
export function taskFolder(projectPath: string, taskId: string): TaskFolder {
  const path = join(projectPath, taskId);
  return {
    taskId,
    projectPath,
    path,
    meta: join(path, 'meta.json'),
    run: join(path, 'run.json'),
    child: join(path, 'child.json'),
    cancel: join(path, 'cancel.json'),
    adopter: join(path, 'adopter.json'),
    log: join(path, 'log'),
    logPrev: join(path, 'log.prev'),
    logBase: join(path, 'log.base'),
    reserve: join(path, 'reserve'),
    witness: join(path, 'exit.w.json'),
    exit: join(path, 'exit.json'),
  };
}

/**
 * One empty file for each task that may not have ended, by its id: made before the task is, removed after its end. So
 * whoever looks after running tasks never goes through the finished ones. One that is left over means nothing.
 */
export function openTasksPath(projectPath: string): string {
  return join(projectPath, 'open');
}

export function openTaskPath(projectPath: string, taskId: string): string {
  return join(openTasksPath(projectPath), taskId);
}
