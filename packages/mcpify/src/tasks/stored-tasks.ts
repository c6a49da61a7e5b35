import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { cancelTask } from './cancel-task.js';
import { listTaskIds } from './list-tasks.js';
import { readTotalBytes } from './output/log-files.js';
import { defaultStateDir, projectPath } from './project-folder.js';
import { readNewest } from './newest-first.js';
import type { Task } from './task-backend.js';
import { taskFolder, type TaskFolder } from './task-folder.js';
import { TaskKeeper } from './task-keeper.js';
import { toTask } from './to-task.js';

/** A task as the user sees it whose store it is: of all servers, of all callers. */
export interface StoredTask {
  readonly task: Task;
  readonly folder: TaskFolder;
  /** The script of the CLI. */
  readonly entry: string;
  /** `Caller.owner` of whoever started it. */
  readonly owner: string | undefined;
}

export interface StoreSelection {
  /** @default the state directory that the system has for this user */
  readonly stateDir?: string | undefined;
  /** The script of one CLI. @default all of them */
  readonly entry?: string | undefined;
}

/** The tasks in a store, for whoever owns it. Nothing is started, and nothing is watched between two calls. */
export class StoredTasks {
  private readonly keeper = new TaskKeeper();

  constructor(private readonly selection: StoreSelection) {}

  /** Newest first. */
  async list({ limit }: { readonly limit: number }): Promise<StoredTask[]> {
    const folders = (await this.folders()).sort((a, b) => (a.taskId < b.taskId ? 1 : -1));
    return readNewest(
      folders,
      limit,
      (folder) => this.look(folder),
      ({ task }) => task,
    );
  }

  /** Those whose id begins so. */
  async find(idStart: string): Promise<StoredTask[]> {
    const folders = (await this.folders()).filter(({ taskId }) => taskId.startsWith(idStart));
    const found = await Promise.all(folders.map((folder) => this.look(folder)));
    return found.filter((stored) => stored !== undefined);
  }

  /** @returns undefined where it has been removed meanwhile */
  async look(folder: TaskFolder): Promise<StoredTask | undefined> {
    const seen = await this.keeper.look(folder);
    if (!seen) return undefined;
    const { task: record } = seen.records;
    return {
      task: toTask(record, seen.settled, readTotalBytes(folder)),
      folder,
      entry: record.spec.entry,
      owner: record.owner,
    };
  }

  /** Resolves when the whole process tree is gone. */
  async cancel({ folder }: StoredTask): Promise<StoredTask | undefined> {
    await cancelTask(this.keeper, folder);
    return this.look(folder);
  }

  /** Folders of all tasks of one CLI each. */
  async projects(): Promise<string[]> {
    const { entry, stateDir = defaultStateDir() } = this.selection;
    if (entry !== undefined) return [projectPath(entry, stateDir)];
    try {
      const entries = await readdir(stateDir, { withFileTypes: true });
      return entries.filter((each) => each.isDirectory()).map(({ name }) => join(stateDir, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  private async folders(): Promise<TaskFolder[]> {
    const folders: TaskFolder[] = [];
    for (const path of await this.projects()) {
      for (const taskId of await listTaskIds(path)) folders.push(taskFolder(path, taskId));
    }
    return folders;
  }
}
