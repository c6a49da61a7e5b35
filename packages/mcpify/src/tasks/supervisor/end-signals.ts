/** What whoever ends sessions, services or machines sends to this process: it is meant for the task. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Resolves with the first of them; none ends this process any more. */
export function listenForEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve());
  });
}
