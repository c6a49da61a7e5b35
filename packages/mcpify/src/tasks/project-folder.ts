import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

import { openTasksPath } from './task-folder.js';

/**
 * The folder of all tasks of one CLI. Servers of the same script share it.
 *
 * @param entry the script of the CLI, an absolute path
 * @param stateDir where the folders of all projects lie
 */
export function projectPath(entry: string, stateDir: string = defaultStateDir()): string {
  const real = followLinks(entry);
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 16);
  return join(resolve(stateDir), `${projectName(real)}-${hash}`);
}

/** Where this system keeps the state of a user's programs; never the project, never the folder for temporary files. */
export function defaultStateDir(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  return join(userState(environment, platform), 'mcpify');
}

function userState(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const home = homedir();
  if (platform === 'win32') return environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local');
  const named = environment['XDG_STATE_HOME'];
  // The XDG rules: a relative path is to be ignored.
  if (named && isAbsolute(named)) return named;
  return platform === 'darwin' ? join(home, 'Library', 'Application Support') : join(home, '.local', 'state');
}

/**
 * Makes the folder, for nobody but this user (mode 0700, whatever the umask is).
 *
 * @throws where it cannot be made or is another user's
 */
export function prepareProject(path: string): void {
  makeFolder(path);
  makePrivate(path);
  makeFolder(openTasksPath(path));
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, 0o700);
    chmodSync(path, 0o700);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || path === dirname(path)) throw error;
    makeFolder(dirname(path));
    makeFolder(path);
  }
}

/** Whoever could write here could make us run or kill things: it may be a trap that was laid before. */
function makePrivate(path: string): void {
  if (process.platform === 'win32') return;
  const status = lstatSync(path);
  if (!status.isDirectory()) throw new Error(`${path} is not a folder`);
  if (status.uid !== process.geteuid?.()) throw new Error(`${path} belongs to another user`);
  if ((status.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

function followLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Folders that say nothing about whose they are. */
const COMMON_FOLDERS = new Set(['dist', 'build', 'out', 'lib', 'src', 'bin']);

/** For people who look into the folder. */
function projectName(entry: string): string {
  let folder = dirname(entry);
  while (COMMON_FOLDERS.has(basename(folder))) folder = dirname(folder);
  return (
    basename(folder)
      .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
      .slice(0, 40) || 'project'
  );
}
