import { areRunsHeld, whenRunsMayBegin } from './hold-runs.js';
import type { Outcome } from '../result/outcome.js';
import type { CancelSignal } from './cancel-signal.js';

/** Runs that must wait for their turn, in order of arrival. */
export interface RunQueue {
  /**
   * @param start begins the run at its turn, at once where there is room; it is to call `done` when the next may start
   * @returns takes the run back before its turn has come; undefined where it has begun
   */
  enter(start: (done: () => void) => void): (() => void) | undefined;
}

/** The program's own may be a test's. */
const setImmediate = globalThis.setImmediate;

/**
 * So many runs, then the event loop has its turn: in it answers leave. Runs that wait for nothing would else all come
 * before the first answer.
 */
const MOST_IN_A_TURN = 32;

/** @param atOnce how many run at the same time */
export function createRunQueue(atOnce: number): RunQueue {
  const waiting: ((done: () => void) => void)[] = [];
  let running = 0;
  let ended = 0;
  const mayBegin = () => running < atOnce && ended < MOST_IN_A_TURN && !areRunsHeld();
  const begin = (start: (done: () => void) => void) => {
    running += 1;
    start(next);
  };
  const fill = () => {
    while (waiting.length > 0 && mayBegin()) begin(waiting.shift() as (done: () => void) => void);
  };
  const next = () => {
    running -= 1;
    ended += 1;
    if (ended === MOST_IN_A_TURN) {
      setImmediate(() => {
        ended = 0;
        fill();
      });
    } else {
      fill();
    }
  };
  whenRunsMayBegin(fill);
  return {
    enter(start) {
      if (waiting.length === 0 && mayBegin()) {
        begin(start);
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
  signal: CancelSignal,
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
