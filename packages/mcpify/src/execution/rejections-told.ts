/** The program's own may be a test's. */
const setImmediate = globalThis.setImmediate;

/** What waits for the end of this turn of the event loop. */
let waiting: (() => void)[] | undefined;

/**
 * Node tells of promises that nobody waits for behind all microtasks. On a command line the process would then fail
 * (B4.3): a call that was answered before would have said that all went well. All calls that end in one turn of the
 * event loop wait for it together.
 *
 * @param proceed must not throw
 */
export function whenRejectionsAreTold(proceed: () => void): void {
  if (waiting) {
    waiting.push(proceed);
    return;
  }
  const ofThisTurn = [proceed];
  waiting = ofThisTurn;
  setImmediate(() => {
    waiting = undefined;
    for (const each of ofThisTurn) each();
  });
}
