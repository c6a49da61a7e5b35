import type { Readable } from 'node:stream';

/** Turns of the event loop without anything to read: what an ended child wrote is in the pipe already. */
const QUIET_TURNS = 3;

/**
 * Resolves once everything is read that the ended child wrote. A descendant that still holds the pipes (a daemon) is
 * not waited for; on a command line the shell's prompt would be back, too.
 */
export function readToEnd(pipes: readonly Readable[]): Promise<void> {
  return new Promise((resolve) => {
    let quietTurns = 0;
    const onData = () => {
      quietTurns = 0;
    };
    for (const pipe of pipes) pipe.on('data', onData);
    const turn = () => {
      quietTurns += 1;
      const isOver = quietTurns > QUIET_TURNS || pipes.every((pipe) => pipe.readableEnded || pipe.destroyed);
      if (!isOver) {
        setImmediate(turn);
        return;
      }
      for (const pipe of pipes) {
        pipe.off('data', onData);
        // 'close' of the child waits for its pipes; with inherited streams there would be none.
        pipe.destroy();
      }
      resolve();
    };
    setImmediate(turn);
  });
}
