import { rename, rm } from 'node:fs/promises';

import { identify, type ProcessIdentity } from '../child-process/process-identity.js';
import { readAdopter } from './read-records.js';
import { isThere } from './standing.js';
import type { TaskFolder } from './task-folder.js';
import { unfinishedName, writeOnce } from './write-record.js';

/**
 * Whether this server is the one that looks after the log of a run without a supervisor: two that cut it at once would
 * lose output. Where nobody is it takes the place, for the next time it is asked: by then every other one has seen it.
 */
export async function isAdopter(folder: TaskFolder): Promise<boolean> {
  const own = identify(process.pid);
  if (!own) return false;
  const server = (await readAdopter(folder))?.server;
  if (server && isSame(server, own)) return true;
  if (server && isThere(server)) return false;
  await clearPlace(folder);
  await writeOnce(folder.adopter, { server: own });
  return false;
}

/** Whether somebody looks after it who may be cutting its log at this moment, with everybody of the run stopped. */
export async function hasAdopter(folder: TaskFolder): Promise<boolean> {
  const adopter = await readAdopter(folder);
  return adopter !== undefined && isThere(adopter.server);
}

/** Of one that is gone, or of a record that is damaged. */
async function clearPlace(folder: TaskFolder): Promise<void> {
  const old = unfinishedName(folder.adopter);
  try {
    await rename(folder.adopter, old);
    await rm(old, { force: true });
  } catch {
    // There was none.
  }
}

function isSame(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.startTime === b.startTime && a.bootId === b.bootId;
}
