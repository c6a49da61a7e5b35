import { hideDescriptors } from './protocol-descriptors.js';
import { SIGNALS, type LauncherMessage } from './relaunch.js';

/**
 * The server's side of a launcher that is its parent: it ends with the launcher, takes its signals, and hides the
 * channel from the user's program.
 *
 * @param end ends this process
 * @param isInCall whether a command runs whatever is running at this moment
 */
export function followLauncher(end: () => void, isInCall: () => boolean): void {
  if (!process.channel) return;
  const answer = process.send?.bind(process) as (message: LauncherMessage, done: () => void) => void;
  // Of those that a terminal sends to the whole group, the launcher's copy is still to come.
  const arrived = new Map<unknown, number>();
  let isHandedOver = false;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (!isHandedOver) arrived.set(signal, (arrived.get(signal) ?? 0) + 1);
    });
  }
  process.on('message', (message) => {
    const { signal } = (message ?? {}) as LauncherMessage;
    if (!SIGNALS.includes(signal as (typeof SIGNALS)[number])) return;
    if (process.connected) answer({ heard: signal as NodeJS.Signals }, () => {});
    const copies = arrived.get(signal) ?? 0;
    arrived.set(signal, Math.max(0, copies - 1));
    if (copies > 0) return;
    isHandedOver = true;
    process.emit(signal as NodeJS.Signals, signal as NodeJS.Signals);
    isHandedOver = false;
  });
  process.on('disconnect', end);
  process.channel.unref();
  Object.defineProperty(process, 'send', { value: undefined, configurable: true, writable: true });
  // The channel is not the command's: closing it would say that the launcher is gone.
  const { disconnect } = process;
  process.disconnect = () => {
    if (!isInCall()) disconnect.call(process);
  };
  const { fd } = process.channel as { readonly fd?: number };
  if (fd !== undefined) hideDescriptors(fd);
}
