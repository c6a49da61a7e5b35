import type { Outcome } from '../result/outcome.js';

/** Runs that must wait for their turn, in order of arrival. */
export interface RunQueue {
  /**
   * @param start begins the run at its turn, at once where there is room; it is to call `done` when the next may start
   * @returns takes the run back before its turn has come; undefined where it has begun
   */
  enter(start: (done: () => void) => void): (() => void) | undefined;
}

/** @param atOnce how many run at the same time */
export function createRunQueue(atOnce: number): RunQueue {
  const waiting: ((done: () => void) => void)[] = [];
  let running = 0;
  const next = () => {
    const start = waiting.shift();
    if (start) start(next);
    else running -= 1;
  };
  return {
    enter(start) {
      if (running < atOnce) {
        running += 1;
        start(next);
        return undefined;
      }
      waiting.push(start);
      return () => void waiting.splice(waiting.indexOf(start), 1);
    },
  };
}

export const NOT_STARTED: Outcome = {
  end: { kind: 'cancelled' },
  output: { segments: [], totalBytes: 0, omittedBytes: 0 },
};

/** What is cancelled while it waits never starts (B4.7). */
export function atItsTurn(
  queue: RunQueue,
  signal: AbortSignal,
  start: (resolve: (outcome: Outcome) => void) => void,
  resolve: (outcome: Outcome) => void,
): void {
  const leave = () => {
    takeBack?.();
    resolve(NOT_STARTED);
  };
  const takeBack = queue.enter((done) => {
    signal.removeEventListener('abort', leave);
    start((outcome) => {
      resolve(outcome);
      done();
    });
  });
  if (takeBack) signal.addEventListener('abort', leave, { once: true });
}
