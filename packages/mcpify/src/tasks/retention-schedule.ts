import { removeOldTasks, type RetentionLimits } from './retention.js';

/** The first calls of a server are to find it idle. */
const FIRST_MS = 5_000;
const INTERVAL_MS = 10 * 60_000;

/** Removes old tasks from time to time, one round at once. Keeps no process alive. */
export function scheduleRetention(projectPath: string, limits: RetentionLimits): { stop(): void } {
  let isBusy = false;
  const run = async () => {
    if (isBusy) return;
    isBusy = true;
    // What went wrong may go well the next time.
    await removeOldTasks(projectPath, limits).catch(() => {});
    isBusy = false;
  };
  const first = setTimeout(() => void run(), FIRST_MS).unref();
  const later = setInterval(() => void run(), INTERVAL_MS).unref();
  return {
    stop() {
      clearTimeout(first);
      clearInterval(later);
    },
  };
}
