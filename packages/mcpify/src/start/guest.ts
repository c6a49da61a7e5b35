import { isDeepStrictEqual } from 'node:util';

import { UsageError } from '../errors/usage-error.js';
import { installPatchesAsGuest } from '../execution/install-patches.js';
import { hideExtensions } from '../execution/kept-properties.js';
import { keepListener } from '../execution/process-listeners.js';
import { writeStray } from '../execution/stray-output.js';
import type { McpOptions } from '../options/mcp-options.js';
import { resolveSettings } from '../options/resolve-settings.js';
import { buildRegistry } from '../registry/build-registry.js';
import type { Registry } from '../registry/registry.js';
import { loadProgram, parsedOnImport, type ProgramLoader, type ProgramSource } from './load-program.js';
import { refuseLateParse } from './refuse-late-parse.js';

/** The server's own matters, which a program that is added to it has no say in. */
const OF_HOST = ['name', 'version', 'instructions', 'cwd', 'http', 'serveLoadErrors'] as const;

export type AttachOptions = Omit<McpOptions, (typeof OF_HOST)[number]>;

interface Attached {
  readonly options: AttachOptions;
  readonly source: ProgramSource;
  readonly registry: Registry;
}

/** By module: a host may make a server for each connection or request, over the one program. */
const attached = new WeakMap<object, Attached[]>();

/**
 * The tools of a program in a process that is another server's. A program that is attached again with the same options
 * is not read a second time.
 *
 * @throws UsageError, and whatever the module throws
 */
export async function registryForGuest(load: ProgramLoader, options: AttachOptions): Promise<Registry> {
  checkOptions(options);
  if (!installPatchesAsGuest()) throw isOurServer();
  let known: Attached[] = [];
  const isSame = (each: Attached) => isDeepStrictEqual(each.options, options);
  const source = await loadProgram(load, (module) => {
    known = attachedFrom(module);
    return known.find(isSame)?.source;
  });
  hideExtensions();
  const before = known.find(isSame);
  if (before) return before.registry;
  const registry = makeRegistry(source, options);
  known.push({ options, source, registry });
  return registry;
}

function attachedFrom(module: unknown): Attached[] {
  const isKey = (typeof module === 'object' && module !== null) || typeof module === 'function';
  if (!isKey) return [];
  const known = attached.get(module) ?? [];
  attached.set(module, known);
  return known;
}

function makeRegistry(source: ProgramSource, options: AttachOptions): Registry {
  const program = typeof source === 'function' ? source() : source;
  const registry = buildRegistry(source, program, resolveSettings(options, program));
  refuseLateParse(program, () => {
    throw parsedOnImport();
  });
  for (const warning of [...registry.warnings, ...unserved(registry)])
    writeStray(`mcpify: warning: ${warning}\n`);
  // Calls end with their connection; a host that exits before takes their children with it.
  process.on(
    'exit',
    keepListener(() => registry.kill()),
  );
  return registry;
}

/** A resource that is nowhere is easily taken for one that is. */
function unserved({ resources }: Registry): readonly string[] {
  if (resources.length === 0) return [];
  const names = resources.map(({ tool }) => tool.definition.name).join(', ');
  return [`McpResource has no effect with attach, which adds tools alone: ${names}.`];
}

function checkOptions(options: AttachOptions): void {
  const foreign = OF_HOST.find((name) => name in options);
  if (foreign === undefined) return;
  throw new UsageError(
    'INVALID_SETTING',
    `Setting "${foreign}" is not one of attach: it is for the server that the tools are added to.`,
  );
}

function isOurServer(): UsageError {
  return new UsageError(
    'INVALID_SETTING',
    'attach was called in a process that startMcpServer or serveHttp serves already. Give each server a script of its own.',
  );
}
