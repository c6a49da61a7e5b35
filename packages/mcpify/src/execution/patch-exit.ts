import { constants } from 'node:os';

import { CallEnded } from './call-ended.js';
import { toExitCode } from './exit-code.js';
import { keepProperty } from './kept-properties.js';
import { ownPerCall } from './own-per-call.js';
import { ownListeners } from './process-listeners.js';
import { replaceMethod } from './replace-method.js';
import { currentCall, outsideOfCalls, ownerOfWrite } from './running-call.js';
import { isTellingOfError } from './stray-errors.js';

// Taken before anything of the user's is loaded.
const exit = process.exit.bind(process);
const reallyExit = (process as unknown as RawProcess).reallyExit.bind(process);

interface RawProcess {
  reallyExit(exitCode?: number): never;
}

/** Ends the server's process itself; `process.exit` ends only the call that asks for it. */
export function exitProcess(exitCode: number): never {
  const end = (): never => reallyExit(exitCode);
  // Exit listeners of the user's may throw, set another code, or exit themselves.
  (process as unknown as RawProcess).reallyExit = end;
  return outsideOfCalls(() => {
    try {
      return exit(exitCode);
    } finally {
      end();
    }
  });
}

let whileLoading: (() => void) | undefined;

/**
 * While the user's program is loaded, `process.exit` does not end the process, however it was imported.
 *
 * @param onExit told of each
 * @returns to be called when loading is over
 */
export function interceptExits(onExit: () => void): () => void {
  whileLoading = onExit;
  return () => {
    whileLoading = undefined;
  };
}

/** Ends of the process that a command asks for end its call (B4.3). */
export function patchExit(): void {
  replaceMethod(process, 'exit', () => (code) => trapExit(code, exit));
  replaceMethod(process, 'reallyExit', () => (code) => trapExit(code, reallyExit));
  replaceMethod(process, 'abort', (original) => () => {
    const call = currentCall();
    if (!call) return original.call(process);
    call.end({ kind: 'threw', error: new Error('The command called process.abort().') });
    throw new CallEnded('process.abort()');
  });
  replaceMethod(process, 'kill', (original) => {
    const kill = original.bind(process);
    return (pid, signal) => {
      const isSelf = pid === process.pid || pid === 0 || pid === -process.pid;
      const isTrapped = isSelf && signal !== 0 && currentCall() !== undefined;
      return isTrapped ? trapSignal(signal) : kill(pid, signal);
    };
  });
  for (const name of ['exit', 'abort', 'kill']) ownPerCall(process, name);
  keepProperty(process, 'exit');
}

type ExitCode = number | string | null | undefined;

function trapExit(code: unknown, original: (exitCode?: number) => never): never {
  // A lost context must not end the server: the exit is that of the one call that runs.
  const call = ownerOfWrite();
  const exitCode = toExitCode((code as ExitCode) ?? process.exitCode);
  const isTelling = isTellingOfError();
  if (!call && whileLoading) {
    whileLoading();
    throw new CallEnded('process.exit() while the program was loaded');
  }
  if (!call && !isTelling) return original(exitCode);
  call?.end({ kind: 'exited', exitCode });
  // An error that is thrown while Node tells of another would end the process.
  if (isTelling) return undefined as never;
  throw new CallEnded('process.exit()');
}

/** Signals that do nothing unless somebody listens. */
const HARMLESS = new Set(['SIGCHLD', 'SIGCONT', 'SIGURG', 'SIGWINCH']);

function trapSignal(signal: unknown): true {
  const call = currentCall();
  const [name, number] = toSignal(signal);
  const listeners = call && name !== 'SIGKILL' ? ownListeners(call, name) : [];
  for (const { listener } of listeners) listener.call(process, name, number);
  if (listeners.length > 0 || HARMLESS.has(name)) return true;
  call?.end({ kind: 'exited', exitCode: 128 + number });
  throw new CallEnded('process.kill()');
}

function toSignal(signal: unknown): readonly [name: string, number: number] {
  const known = Object.entries(constants.signals);
  const found = known.find(([name, number]) => signal === name || signal === number);
  return found ?? ['SIGTERM', constants.signals.SIGTERM];
}
