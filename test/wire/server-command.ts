import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How an entry is started. */
export interface ServerStart {
  /** Arguments behind the entry. */
  readonly args?: readonly string[];
  /** Arguments of Node itself. */
  readonly nodeArgs?: readonly string[];
  /** Added to the few variables of `BASE_ENV`; undefined leaves one of these out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What is started with Node's arguments, the entry and its arguments. @default Node */
  readonly command?: string;
  /** @default the repository's root */
  readonly cwd?: string;
}

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** What a process needs of the environment. The test runner's own variables (`NODE_OPTIONS`, `VITEST`) are not for it. */
const BASE_ENV = ['PATH', 'HOME', 'USERPROFILE', 'SYSTEMROOT', 'TMPDIR', 'TEMP', 'TMP', 'LANG'];

/** Background tasks of a test's servers are none of the user's; `connect.ts` removes the folder. */
export const STATE_HOME = join(tmpdir(), `mcpify-state-${process.pid}`);

/**
 * The command line that starts an entry, whose path may be relative to the repository. `MCPIFY_TEST_NODE` names
 * another Node than the one that runs the tests.
 */
export function serverCommand(entry: string, { args = [], nodeArgs = [], env, cwd, command }: ServerStart) {
  const base = BASE_ENV.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    command: command ?? process.env['MCPIFY_TEST_NODE'] ?? process.execPath,
    args: [...nodeArgs, entry, ...args],
    cwd: cwd ?? REPOSITORY,
    env: defined({ ...Object.fromEntries(base), XDG_STATE_HOME: STATE_HOME, ...env }),
  };
}

function defined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
