import { readdir } from 'node:fs/promises';

import { openTasksPath } from './task-folder.js';
import { isTaskId } from './task-id.js';

/** The ids of all tasks of a project, newest first. */
export async function listTaskIds(projectPath: string): Promise<string[]> {
  return (await idsIn(projectPath)).sort().toReversed();
}

/** The ids of those that may not have ended. */
export function listOpenTaskIds(projectPath: string): Promise<string[]> {
  return idsIn(openTasksPath(projectPath));
}

async function idsIn(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).filter(isTaskId);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
