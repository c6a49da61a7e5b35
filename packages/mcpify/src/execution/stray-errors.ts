import { inspect } from 'node:util';

import { describeError } from '../result/describe-error.js';
import { isCallEnded } from './call-ended.js';
import { forgetInterrupted } from './exit-code.js';
import { replaceMethod } from './replace-method.js';
import { currentCall, isGuest, outsideOfCalls } from './running-call.js';
import { writeStray } from './stray-output.js';

/**
 * Errors that nobody caught fail the call in whose async context they arose; what belongs to none is told once on
 * stderr and survived (B4.3). Before the user's own listeners, which may end the process.
 */
export function catchStrayErrors(): void {
  process.on('uncaughtException', (error) => {
    forgetInterrupted();
    if (isHostsOwn(error)) endAsUncaught(error);
    else failCall(error, 'uncaught exception');
  });
  process.on('unhandledRejection', (reason) => {
    if (isHostsOwn(reason)) rejectAsUncaught(reason);
    else failCall(reason, 'unhandled rejection');
  });
  catchInMicrotasks();
}

/** Node 20 and 22 tell of an error in a microtask outside of its async context. */
function catchInMicrotasks(): void {
  replaceMethod(globalThis, 'queueMicrotask', (original) => (callback) => {
    const call = currentCall();
    if (!call || typeof callback !== 'function') return original(callback);
    return original(() => {
      try {
        (callback as () => void)();
      } catch (error) {
        failCall(error, 'uncaught exception');
      }
    });
  });
}

/** An error of another server's, which this process belongs to: it ends as if we were not there. */
function isHostsOwn(error: unknown): boolean {
  return isGuest() && !currentCall() && !isCallEnded(error);
}

/** What Node does where nobody listens. */
function endAsUncaught(error: unknown): void {
  if (process.listenerCount('uncaughtException') > 1) return;
  writeStray(`${error instanceof Error ? (error.stack ?? error.message) : inspect(error)}\n`);
  process.exit(1);
}

function rejectAsUncaught(reason: unknown): void {
  if (process.listenerCount('unhandledRejection') > 1) return;
  outsideOfCalls(() =>
    setImmediate(() => {
      throw reason;
    }),
  );
}

let isTelling = false;

/** True while the user's listeners hear of an error: an exit that they ask for does not end the server. */
export function isTellingOfError(): boolean {
  return isTelling;
}

function failCall(error: unknown, what: string): void {
  isTelling = true;
  process.nextTick(() => {
    isTelling = false;
  });
  if (isCallEnded(error)) return;
  const call = currentCall();
  if (call && !call.ended) {
    call.end({ kind: 'threw', error });
    return;
  }
  if (call?.amend) {
    call.amend({ kind: 'threw', error });
    return;
  }
  const owner = call ? ` in ${call.invocation.toolName}, after its call had ended` : '';
  writeStray(`mcpify: ${what}${owner}: ${describeError(error).split('\n', 1)[0]}\n`);
}
