import type { Readable } from 'node:stream';

/** How long the program may go on loading when the client has closed its side: clients wait about as long. */
const LOAD_MS = 10_000;

export interface LoadingEnds {
  /** A signal asked for it. */
  stop(): void;
  /** The client is gone. */
  leave(): void;
  /** Nothing is left in this process that could finish the loading. */
  giveUp(): void;
}

/**
 * While the user's program is loaded nobody reads the input: a program that never finishes must not outlive its
 * client (K04), nor end in silence.
 *
 * @returns to be called when loading is over
 */
export function watchLoading(input: Readable, { stop, leave, giveUp }: LoadingEnds): () => void {
  let timer: NodeJS.Timeout | undefined;
  // What came before the end stays in the stream, to be read when the server is connected.
  const look = () => {
    const { _readableState: state } = input as Readable & { _readableState?: { ended?: boolean } };
    if (state?.ended || input.destroyed) timer ??= setTimeout(leave, LOAD_MS).unref();
  };
  const inputEvents = ['readable', 'close', 'error'] as const;
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const event of inputEvents) input.on(event, look);
  for (const signal of signals) process.on(signal, stop);
  process.on('beforeExit', giveUp);
  return () => {
    clearTimeout(timer);
    for (const event of inputEvents) input.off(event, look);
    for (const signal of signals) process.off(signal, stop);
    process.off('beforeExit', giveUp);
  };
}
