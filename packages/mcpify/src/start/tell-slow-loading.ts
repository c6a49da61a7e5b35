import { writeStray } from '../execution/stray-output.js';

/** Programs are read in less than a second; whoever waits longer wants to know what for. */
const SLOW_MS = 5_000;

/**
 * One line on stderr where loading takes longer than that. It keeps no process alive, and ends nothing.
 *
 * @param awaited says what has not settled then
 * @returns to be called when loading is over
 */
export function tellSlowLoading(awaited: () => string): () => void {
  const timer = setTimeout(() => {
    writeStray(
      `mcpify: the program is still loading after ${SLOW_MS / 1_000} s: ${awaited()} has not settled. ` +
        'Nothing is served before. Is there an await that never ends, of a server, a database or a prompt?\n',
    );
  }, SLOW_MS);
  timer.unref();
  return () => clearTimeout(timer);
}

const LONGEST_SOURCE = 100;

/** `() => import('./program.js')` as its author wrote it, in one line. */
export function sourceOf(load: unknown): string {
  const source = Function.prototype.toString.call(load).replaceAll(/\s+/g, ' ');
  return source.length > LONGEST_SOURCE ? `${source.slice(0, LONGEST_SOURCE)}…` : source;
}
