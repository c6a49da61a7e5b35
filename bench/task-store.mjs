// Stores of ended tasks, made by copying one that has run.
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Letters of an id that no two copies share. */
const ID_END_BYTES = 8;

/**
 * Copies an ended task. Files that hold its id are written anew, the others are the same ones.
 *
 * @param stateDir where the task is, and nothing else
 * @param logOf gives the log of each copy; by default it is that of the task
 * @returns the ids of the copies
 */
export function copyTask(stateDir, taskId, count, logOf) {
  const [project] = readdirSync(stateDir);
  const source = join(stateDir, project, taskId);
  const names = readdirSync(source);
  return Array.from({ length: count }, () => {
    const copyId = taskId.slice(0, -2 * ID_END_BYTES) + randomBytes(ID_END_BYTES).toString('hex');
    const target = join(stateDir, project, copyId);
    mkdirSync(target, { mode: 0o700 });
    for (const name of names) {
      if (name === 'meta.json') {
        const record = readFileSync(join(source, name), 'utf8').replaceAll(taskId, copyId);
        writeFileSync(join(target, name), record, { mode: 0o600 });
      } else if (name !== 'log' || !logOf) linkSync(join(source, name), join(target, name));
    }
    logOf?.(join(target, 'log'));
    return copyId;
  });
}
