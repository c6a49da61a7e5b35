import { constants } from 'node:fs';
import { rename, rm } from 'node:fs/promises';

import { removeQuestions } from './task-questions.js';
import { readExit } from './read-records.js';
import { openTaskPath, type TaskFolder } from './task-folder.js';
import type { ExitRecord } from './task-records.js';
import { NEW_FILE, publish, unfinishedName, writeFile, writeOnce } from './write-record.js';

/** What is reserved: more than any exit record needs. */
const RESERVE_BYTES = 4_096;
const LONGEST_MESSAGE = 500;

/** Takes the space that the exit record will need, in real bytes: a file system may store a row of zeros as nothing. */
export function reserveExit(folder: TaskFolder): Promise<void> {
  return writeFile(folder.reserve, ' '.repeat(RESERVE_BYTES), { flags: NEW_FILE });
}

/**
 * Records the end of a task, unless that has been done: the first end stays.
 *
 * @returns the record that stands
 * @throws where nothing can be written
 */
export async function recordExit(folder: TaskFolder, exit: ExitRecord): Promise<ExitRecord> {
  const standing = (await readExit(folder)) ?? (await writeExit(folder, exit));
  await removeQuestions(folder).catch(() => {});
  // One that stays is removed by the next sweep.
  await rm(openTaskPath(folder.projectPath, folder.taskId), { force: true }).catch(() => {});
  return standing;
}

async function writeExit(folder: TaskFolder, exit: ExitRecord): Promise<ExitRecord> {
  const isFirst = await writeUnlessThere(folder, exit);
  return isFirst ? exit : ((await readExit(folder)) ?? exit);
}

async function writeUnlessThere(folder: TaskFolder, exit: ExitRecord): Promise<boolean> {
  const short =
    exit.message === undefined ? exit : { ...exit, message: exit.message.slice(0, LONGEST_MESSAGE) };
  const reserved = await takeReserve(folder);
  if (reserved === undefined) return writeOnce(folder.exit, short, { isDurable: true });
  await writeFile(reserved, JSON.stringify(short), { flags: constants.O_WRONLY, isDurable: true });
  return publish(reserved, folder.exit, { isDurable: true });
}

/** By a new name: of two writers at once only one may write into it, or it would change what the other has published. */
async function takeReserve(folder: TaskFolder): Promise<string | undefined> {
  const taken = unfinishedName(folder.reserve);
  try {
    await rename(folder.reserve, taken);
    return taken;
  } catch {
    return undefined;
  }
}
