import type { Readable } from 'node:stream';

const LOOK_INTERVAL_MS = 1_000;

/** Stops and goes on reading; both may be called as often as one likes. */
export function pausable(input: Readable): { pause(): void; resume(): void } {
  let timer: NodeJS.Timeout | undefined;
  const resume = () => {
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    input.resume();
  };
  return {
    pause() {
      if (timer !== undefined) return;
      input.pause();
      // A client that has closed its side is owed an end, whether it reads or not (P10).
      timer = setInterval(() => {
        if (hasEnded(input)) resume();
      }, LOOK_INTERVAL_MS).unref();
    },
    resume,
  };
}

/** The end is known before its event where the stream still holds data. */
function hasEnded(input: Readable): boolean {
  const { _readableState: state } = input as Readable & { _readableState?: { readonly ended?: boolean } };
  return input.destroyed || state?.ended === true;
}
