import { spawn } from 'node:child_process';

import { CHILD_VARIABLE } from './child-orders.js';
import { TREE_TOKEN_VARIABLE } from './tree-members.js';

export interface SupervisorStart {
  /** What it runs: a script of ours. */
  readonly script: string;
  readonly args: readonly string[];
  /** A folder that stays as long as it runs. */
  readonly cwd: string;
  /** Written to its stdin: what may stand neither in a file nor on a command line. */
  readonly orders: string;
  /** Its stdin stays open as long as this process lives, so that its end can be seen. */
  readonly holdsLine: boolean;
}

export interface StartedSupervisor {
  readonly pid: number | undefined;
  /** Resolves when the orders have left this process. */
  readonly delivered: Promise<void>;
  /** Resolves when it has ended or could not be started; the sentence says how. */
  readonly ended: Promise<string>;
}

/**
 * Starts a process that outlives this one: in a session of its own, without anything of ours but the one pipe. It
 * keeps nobody from ending.
 */
export function startSupervisor({
  script,
  args,
  cwd,
  orders,
  holdsLine,
}: SupervisorStart): StartedSupervisor {
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env: withoutOrders(process.env),
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
  });
  child.unref();
  const { stdin } = child;
  // Where the server is patched, an unref of the pipe is all that keeps it from being waited for.
  (stdin as unknown as { unref?(): void }).unref?.();
  const delivered = new Promise<void>((resolve) => {
    stdin.once('error', () => resolve());
    if (holdsLine) stdin.write(orders, () => resolve());
    else stdin.end(orders, () => resolve());
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (exitCode, signal) =>
      resolve(signal ? `it was killed by ${signal}` : `it ended with exit code ${exitCode}`),
    );
  });
  return { pid: child.pid, delivered, ended };
}

/**
 * The environment without what says how a process of Node's starts: that is meant for the command. Without the mark of
 * a surrounding run, too: a task outlives whoever started it.
 */
function withoutOrders(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const env = { ...environment };
  for (const name of ['NODE_OPTIONS', 'NODE_V8_COVERAGE', CHILD_VARIABLE, TREE_TOKEN_VARIABLE])
    delete env[name];
  return env;
}
