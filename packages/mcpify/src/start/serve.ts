import module from 'node:module';

import type { ProtocolStreams } from '../child-process/claim-descriptors.js';
import { followLauncher } from '../child-process/follow-launcher.js';
import { UsageError } from '../errors/usage-error.js';
import { installPatches } from '../execution/install-patches.js';
import { hideExtensions } from '../execution/kept-properties.js';
import { exitProcess } from '../execution/patch-exit.js';
import { isInCall } from '../execution/running-call.js';
import { keepPresentListeners } from '../execution/process-listeners.js';
import { writeStray } from '../execution/stray-output.js';
import type { McpOptions, Settings } from '../options/mcp-options.js';
import { resolveSettings } from '../options/resolve-settings.js';
import { checkIsSettings } from '../options/setting-values.js';
import type { Registry } from '../registry/registry.js';
import { loadProgram, parsedOnImport, type ProgramLoader } from './load-program.js';
import { refuseLateParse } from './refuse-late-parse.js';
import { describeReason, describeStartFailure } from './start-failure.js';
import { watchLoading } from './watch-loading.js';

/** Serves until the client leaves; a start that fails is told on stderr and ends the process with exit code 1. */
export async function serve(
  load: ProgramLoader,
  options: McpOptions,
  claim: ProtocolStreams | { readonly error: unknown },
): Promise<void> {
  try {
    if ('error' in claim) throw claim.error;
    followLauncher(() => exitProcess(0), isInCall);
    await serveOn(claim, load, options);
  } catch (error) {
    fail(error);
  }
}

const NEVER_LOADED =
  'The program never finishes loading: it waits for what can no longer happen, such as a promise that nothing settles.';

function fail(error: unknown): never {
  exitWith(1, describeStartFailure(error));
}

function exitWith(exitCode: number, message: string): never {
  writeStray(`mcpify: ${message}\n`);
  exitProcess(exitCode);
}

async function serveOn(streams: ProtocolStreams, load: ProgramLoader, options: McpOptions): Promise<void> {
  installPatches();
  keepPresentListeners();
  checkIsSettings(options);
  enterFolder(options.cwd);
  (module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
  const stopWatching = watchLoading(streams.input, {
    stop: () => exitProcess(0),
    leave: () => exitWith(0, 'The client left while the program was loading.'),
    giveUp: () => exitWith(1, NEVER_LOADED),
  });
  // The SDK and the user's program are read at the same time.
  const serving = import('../serving/serve-on-stdio.js');
  serving.catch(() => {});
  const { registry, settings } = await prepare(load, options);
  for (const warning of registry.warnings) writeStray(`mcpify: warning: ${warning}\n`);
  const { serveOnStdio } = await serving;
  serveOnStdio(registry, settings, streams.input, streams.output);
  stopWatching();
}

/**
 * Loads the program and makes its registry. With `serveLoadErrors`, a program that fails to load gives a registry
 * without tools that tells the reason.
 *
 * @throws UsageError, and whatever the module throws
 */
export async function prepare(
  load: ProgramLoader,
  options: McpOptions,
): Promise<{ registry: Registry; settings: Settings }> {
  try {
    const source = await loadProgram(load);
    hideExtensions();
    const program = typeof source === 'function' ? source() : source;
    refuseLateParse(program, () => fail(parsedOnImport()));
    const settings = resolveSettings(options, program);
    const { buildRegistry } = await import('../registry/build-registry.js');
    return { registry: buildRegistry(source, program, settings), settings };
  } catch (error) {
    if (options.serveLoadErrors !== true) throw error;
    writeStray(`mcpify: ${describeStartFailure(error)}\n`);
    return {
      registry: failedRegistry(describeReason(error)),
      settings: resolveSettings(options, { name: () => '' }),
    };
  }
}

/** Serves the reason in place of tools (`serveLoadErrors`). */
function failedRegistry(reason: string): Registry {
  return {
    definitions: [],
    get: () => undefined,
    resources: [],
    nearest: () => [],
    warnings: [],
    loadError: reason,
    close: () => Promise.resolve(),
    kill() {},
  };
}

/** @throws UsageError `INVALID_SETTING` where there is no such folder */
export function enterFolder(cwd: string | undefined): void {
  try {
    if (cwd !== undefined) process.chdir(cwd);
  } catch {
    throw new UsageError('INVALID_SETTING', `Setting "cwd": there is no folder ${JSON.stringify(cwd)}.`);
  }
  try {
    process.cwd();
  } catch {
    const wayOut = 'Start the server in another, or name one by the setting "cwd".';
    throw new UsageError('INVALID_SETTING', `The working directory does not exist any more. ${wayOut}`);
  }
}
