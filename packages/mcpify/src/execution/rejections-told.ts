/** The program's own may be a test's. */
const setImmediate = globalThis.setImmediate;

let turn: Promise<void> | undefined;

/**
 * Node tells of promises that nobody waits for behind all microtasks. On a command line the process would then fail
 * (B4.3): a call that was answered before would have said that all went well. All calls that end in one turn of the
 * event loop wait for it together.
 */
export function whenRejectionsAreTold(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}
