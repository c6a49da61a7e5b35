import type { EventEmitter } from 'node:events';

import type { CallEnd } from '../result/outcome.js';
import { isCallEnded } from './call-ended.js';
import { replaceMethod } from './replace-method.js';
import { currentCall, type OwnListener, type RunningCall } from './running-call.js';

/** What a call puts on `process` and its streams is taken off when the call ends (B4.3). */
export function patchListeners(): void {
  for (const emitter of [process, process.stdout, process.stderr]) trackListeners(emitter);
  patchCapture();
}

type Listener = (...args: never[]) => unknown;

/** The server's own: what keeps it alive and ends it is nobody's to remove. */
const kept = new WeakSet<object>();

/** @returns the same listener, which nobody can take off any more */
export function keepListener<T extends Listener>(listener: T): T {
  kept.add(listener);
  return listener;
}

/** Keeps every listener that `process` has at this moment. Before anything of the user's is loaded. */
export function keepPresentListeners(): void {
  for (const event of process.eventNames()) {
    for (const listener of process.listeners(event as 'exit')) kept.add(listener);
  }
}

function trackListeners(emitter: EventEmitter): void {
  for (const name of ['on', 'addListener', 'once', 'prependListener', 'prependOnceListener']) {
    replaceMethod(emitter, name, (original) => {
      const add = original.bind(emitter);
      return (event, listener) => {
        const call = currentCall();
        // On a command line the process would be gone. One of the server's that is put back was never off.
        if (call?.ended || kept.has(listener as object)) return emitter;
        call?.listeners.push({ emitter, event, listener } as OwnListener);
        add(event, listener);
        return emitter;
      };
    });
  }
  for (const name of ['removeListener', 'off']) {
    replaceMethod(emitter, name, (original) => (event, listener) => {
      if (!kept.has(listener as object)) original.call(emitter, event, listener);
      return emitter;
    });
  }
  replaceMethod(emitter, 'removeAllListeners', () => (...events) => {
    removeAll(emitter, events as (string | symbol)[]);
    return emitter;
  });
  // Many calls may listen at a time: that is no leak.
  emitter.setMaxListeners(0);
}

function removeAll(emitter: EventEmitter, events: readonly (string | symbol)[]): void {
  const call = currentCall();
  // Those of the program and of other calls stay.
  if (call) {
    removeListeners(call, (own) => own.emitter === emitter && (!events.length || own.event === events[0]));
    return;
  }
  for (const event of events.length > 0 ? events.slice(0, 1) : emitter.eventNames()) {
    for (const listener of emitter.rawListeners(event)) emitter.removeListener(event, listener as () => void);
  }
}

type Capture = ((error: Error) => void) | null;

/**
 * A capture callback takes every uncaught exception, so that no call would hear of its own. One that a call sets is
 * taken off when it ends; one of the program gets what belongs to no call.
 */
function patchCapture(): void {
  replaceMethod(process, 'setUncaughtExceptionCaptureCallback', (original) => {
    const set = original.bind(process) as (capture: Capture) => void;
    resetCapture = () => set(null);
    return (capture) => {
      const call = currentCall();
      if (call) call.hasCapture = capture !== null;
      if (call || typeof capture !== 'function') set(capture as Capture);
      else set((error) => (currentCall() ? process.emit('uncaughtException', error) : capture(error)));
      return undefined;
    };
  });
}

let resetCapture = (): void => {};

/** To be called when a call has ended. */
export function removeCapture(call: RunningCall): void {
  if (call.hasCapture) resetCapture();
}

/**
 * On a command line these listeners run when the process ends, which here is the end of the call.
 *
 * @param exitCode asked again for each listener: one may set it for the next
 */
export function runExitListeners(call: RunningCall, end: CallEnd, exitCode: () => number): void {
  if (call.listeners.length === 0) return;
  if (end.kind === 'returned') emitTo(call, 'beforeExit', exitCode);
  emitTo(call, 'exit', exitCode);
}

/** To be called when a call has ended. */
export function removeListeners(
  call: RunningCall,
  isMeant: (own: OwnListener) => boolean = () => true,
): void {
  if (call.listeners.length === 0) return;
  const kept: OwnListener[] = [];
  for (const own of call.listeners) {
    if (isMeant(own)) own.emitter.removeListener(own.event, own.listener);
    else kept.push(own);
  }
  call.listeners = kept;
}

/** Listeners of the call's own for an event of `process`, which were not taken off since. */
export function ownListeners(call: RunningCall, event: string): readonly OwnListener[] {
  return call.listeners.filter(
    (own) =>
      own.emitter === process &&
      own.event === event &&
      process.listeners(event as 'exit').includes(own.listener),
  );
}

function emitTo(call: RunningCall, event: string, exitCode: () => number): void {
  for (const { listener } of ownListeners(call, event)) {
    try {
      listener.call(process, exitCode());
    } catch (error) {
      if (!isCallEnded(error)) call.end({ kind: 'threw', error });
    }
  }
}
