import { spawn, type ChildProcess } from 'node:child_process';

import type { ChildCommand } from './child-command.js';
import { identify, type ProcessIdentity } from './process-identity.js';
import type { ProcessEnd } from './run-child.js';

export interface TaskChild {
  readonly identity: ProcessIdentity | undefined;
  /** How its process ended by itself: `exited`, `killed` or `notStarted`. */
  readonly ended: Promise<ProcessEnd>;
}

/**
 * Starts the CLI with its output straight into a file: nothing of it passes through this process, and nothing is lost
 * when this process ends (tasks.md, section 4).
 *
 * @param place.logFd open for appending: stdout and stderr are one descriptor, so that their order is kept
 */
export function startTaskChild(
  { file, args, env, input }: ChildCommand,
  { cwd, logFd }: { readonly cwd: string; readonly logFd: number },
): TaskChild {
  let child: ChildProcess;
  try {
    child = spawn(file, args, {
      cwd,
      env,
      stdio: [input === undefined ? 'ignore' : 'pipe', logFd, logFd],
      // A group and session of its own; on Windows it is to end with whoever watches it, which nobody could adopt.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    return { identity: undefined, ended: Promise.resolve({ kind: 'notStarted', error }) };
  }
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  child.stdin?.on('error', () => {}).end(input);
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve({ kind: 'notStarted', error });
    });
    child.once('exit', (exitCode, signal) =>
      resolve(signal ? { kind: 'killed', signal } : { kind: 'exited', exitCode: exitCode ?? 1 }),
    );
  });
  return { identity, ended };
}
