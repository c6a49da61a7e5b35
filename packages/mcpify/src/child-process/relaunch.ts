import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import inspector from 'node:inspector';

/** The one line that a shell ever sees: fixed, the command itself comes as arguments. */
const SHELL_LINE = 'exec 3>&1 4<&0 1>&2 0</dev/null; exec "$0" "$@"';
const SHELL = '/bin/sh';

/** Between a signal and its hand-over: a terminal sends it to the whole group, so most arrive by themselves. */
const SIGNAL_DELAY_MS = 100;

/** For the server to say that it has heard a signal: one that does not is busy with a command that never pauses. */
const HEARD_WITHIN_MS = 1_000;

/** What a launcher and its server say to each other. */
export interface LauncherMessage {
  readonly signal?: NodeJS.Signals;
  readonly heard?: NodeJS.Signals;
}

export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Starts this same script anew with the protocol on descriptors 3 (output) and 4 (input), stdout on stderr and
 * stdin empty: in place of this process where Node can do that, else as its child.
 *
 * @param variable the environment variable that says that the descriptors are set
 * @returns never resolves
 */
export function relaunch(variable: string): Promise<never> {
  const environment = { ...process.env, [variable]: '3,4' };
  const argv = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  if (inspector.url() !== undefined) inspector.close();
  replaceProcess(argv, environment);
  return superviseChild(argv, environment);
}

/** Holds what the shell on the way would lose, as JSON. */
const CARRIED = 'MCPIFY_CARRIED_ENV';

/** Puts back the variables that a shell had to be passed by. Before anything of the user's is loaded. */
export function restoreCarried(): void {
  const carried = process.env[CARRIED];
  if (carried === undefined) return;
  delete process.env[CARRIED];
  Object.assign(process.env, JSON.parse(carried));
}

type Execve = (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => never;

/** Returns only where it is not possible: Windows, Node before 22.15, an IPC channel that may hold descriptor 3. */
function replaceProcess(argv: readonly string[], environment: NodeJS.ProcessEnv): void {
  const { execve } = process as unknown as { execve?: Execve };
  if (!execve || process.platform === 'win32' || process.channel || !hasShell()) return;
  const carried = carriedAround(environment);
  if (carried.length > LONGEST_CARRIED) return;
  try {
    execve.call(process, SHELL, ['sh', '-c', SHELL_LINE, ...argv], { ...environment, [CARRIED]: carried });
  } catch {
    // Not permitted: a child does it.
  }
}

/** Asked before: where the file is not there, `execve` does not throw but aborts the process. */
function hasShell(): boolean {
  try {
    accessSync(SHELL, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** In characters, of up to three bytes: the operating system refuses a variable of 131,072 bytes. */
const LONGEST_CARRIED = 40_000;

/** Variables that shells set themselves, or read as their own settings. */
const OF_SHELLS =
  /^(?:_|IFS|PPID|PWD|OLDPWD|SHLVL|OPT\w+|PS\d|LINENO|RANDOM|SECONDS|E?UID|BASH\w*|SHELLOPTS|COLUMNS|LINES)$/;

/** Shells drop a variable that could not be one of theirs: `my-var`, `npm_config_@scope:registry`. */
function carriedAround(environment: NodeJS.ProcessEnv): string {
  const entries = Object.entries(environment);
  return JSON.stringify(
    Object.fromEntries(entries.filter(([name]) => !/^[A-Za-z_]\w*$/.test(name) || OF_SHELLS.test(name))),
  );
}

function superviseChild(argv: readonly string[], environment: NodeJS.ProcessEnv): Promise<never> {
  const [file = process.execPath, ...args] = argv;
  const child = spawn(file, args, { stdio: ['ignore', 2, 2, 1, 0, 'ipc'], env: environment });
  forwardSignals(child);
  child.on('error', (error) => {
    process.stderr.write(`mcpify: cannot start the server: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (exitCode, signal) => {
    for (const each of SIGNALS) process.removeAllListeners(each);
    if (signal) process.kill(process.pid, signal);
    // Also after a signal that does not end a process of Node's (SIGPIPE).
    process.exit(exitCode ?? 1);
  });
  return new Promise(() => {});
}

function forwardSignals(child: ChildProcess): void {
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      setTimeout(() => {
        if (child.connected) tell(child, signal);
      }, SIGNAL_DELAY_MS);
    });
  }
}

/** A server whose thread a command has taken hears nothing: it would go on alone, once its client has killed us. */
function tell(child: ChildProcess, signal: NodeJS.Signals): void {
  const timer = setTimeout(() => child.kill('SIGKILL'), HEARD_WITHIN_MS);
  child.once('message', ({ heard }: LauncherMessage) => {
    if (heard) clearTimeout(timer);
  });
  child.send({ signal } satisfies LauncherMessage, () => {});
}
