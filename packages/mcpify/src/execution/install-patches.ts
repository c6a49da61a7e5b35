import { syncBuiltinESMExports } from 'node:module';

import { patchSpawn } from '../child-process/patch-spawn.js';
import { supplyCallContext } from './call-context.js';
import { patchConsole } from './patch-console.js';
import { patchEnvironment } from './patch-environment.js';
import { patchExit } from './patch-exit.js';
import { patchFsInput } from './patch-fs-input.js';
import { patchHiddenDescriptors } from './patch-fs-hidden.js';
import { patchFsOutput } from './patch-fs-output.js';
import { patchStdin } from './patch-stdin.js';
import { patchStreams } from './patch-streams.js';
import { patchListeners } from './process-listeners.js';
import { becomeGuest, isGuest, ownerOfWrite } from './running-call.js';
import { catchStrayErrors } from './stray-errors.js';

/** Also where this package is loaded twice, the process is patched once. */
const PATCHED = Symbol.for('mcpify.patched');

/**
 * Makes this process safe for commands: output, exits, input, environment and children belong to the call that uses
 * them (in-process.md, A1 and A2). Before anything of the user's is loaded; a second time is without effect.
 */
export function installPatches(): void {
  const shared = globalThis as { [PATCHED]?: boolean };
  if (shared[PATCHED]) return;
  shared[PATCHED] = true;
  patchStreams();
  patchConsole();
  patchHiddenDescriptors();
  patchFsOutput();
  patchFsInput();
  patchStdin();
  patchSpawn(ownerOfWrite);
  patchEnvironment();
  catchStrayErrors();
  patchExit();
  patchListeners();
  supplyCallContext();
  // Named imports of built-in modules see what was replaced.
  syncBuiltinESMExports();
}

/**
 * The same in a server that is the user's own: what happens outside of calls stays as it was.
 *
 * @returns false where the process was made our own server's before
 */
export function installPatchesAsGuest(): boolean {
  const isFree = (globalThis as { [PATCHED]?: boolean })[PATCHED] !== true;
  if (isFree) becomeGuest();
  installPatches();
  return isGuest();
}
