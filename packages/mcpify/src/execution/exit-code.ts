import { createHook } from 'node:async_hooks';

import type { CallEnd } from '../result/outcome.js';
import { currentCall, isGuest, onlyCall, type RunningCall } from './running-call.js';

/*
 * `process.exitCode` is one for the whole process and cannot be redefined (in-process.md, A2). It is put in place for
 * the call that runs: for its whole life while it is alone, for each of its callbacks while calls overlap.
 */

/** The call whose code is in place; undefined = the server's own. */
let loaded: RunningCall | undefined;
let ofServer: NodeJS.Process['exitCode'];
/** Calls whose action has not settled, abandoned ones too: each of them may set the code. */
let unsettled = 0;
let interrupted: (RunningCall | undefined)[] = [];

const hook = createHook({
  before() {
    interrupted.push(loaded);
    load(currentCall());
  },
  after() {
    load(interrupted.pop());
  },
});

/**
 * Runs an action with an exit code of its own.
 *
 * @param start resolves when the action has settled, also after the end of the call
 */
export function runWithExitCode(call: RunningCall, start: () => Promise<void>): void {
  if (unsettled === 0) ofServer = process.exitCode;
  unsettled += 1;
  if (unsettled === mostAlone() + 1) hook.enable();
  load(call);
  const settled = start();
  if (unsettled > mostAlone()) load(undefined);
  void settled.then(() => releaseExitCode(call));
}

/** The exit code that the call has set so far; where it fails without one, 1 as the process would. */
export function exitCodeOf(call: RunningCall, end: CallEnd): number {
  if ('exitCode' in end) return end.exitCode;
  return end.kind === 'returned' ? toExitCode(ownCode(call)) : 1;
}

/** The exit code that the call has set. Asked once, when it has ended. */
export function takeExitCode(call: RunningCall): number {
  const found = ownCode(call);
  // What the command sets on its way out, in a `finally` for example, is still not the server's.
  if (loaded === call && currentCall() !== call) load(undefined);
  return toExitCode(found);
}

function ownCode(call: RunningCall): NodeJS.Process['exitCode'] {
  return loaded === call ? process.exitCode : call.exitCode;
}

/** So many calls have the code for their whole life: none where another server sets codes of its own. */
function mostAlone(): number {
  return isGuest() ? 0 : 1;
}

/**
 * To be called when the action has settled, so that it can set no code any more, and its code has been taken: before
 * the next call starts, so that calls that run in turn are none that overlap. Once is enough.
 */
export function releaseExitCode(call: RunningCall): void {
  if (call.hasReleasedExitCode) return;
  call.hasReleasedExitCode = true;
  unsettled -= 1;
  if (unsettled > mostAlone()) return;
  hook.disable();
  interrupted = [];
  load(onlyCall());
  // An abandoned action may have set it meanwhile.
  if (unsettled === 0 && process.exitCode !== ofServer) process.exitCode = ofServer;
}

/** An exception that nobody caught leaves callbacks without their end. */
export function forgetInterrupted(): void {
  interrupted = [];
}

/** As `process.exit` reads its argument; what is no code at all is a failure. */
export function toExitCode(code: number | string | null | undefined): number {
  const number = Number(code ?? 0);
  return Number.isInteger(number) ? number & 0xff : 1;
}

function load(next: RunningCall | undefined): void {
  if (next === loaded) return;
  const found = process.exitCode;
  if (loaded) loaded.exitCode = found;
  loaded = next;
  const wanted = next ? next.exitCode : ofServer;
  if (wanted !== found) process.exitCode = wanted;
}
