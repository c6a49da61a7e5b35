import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { UsageError } from '../errors/usage-error.js';

/**
 * The script that children of this server run (B9): the setting; else the only `bin` target of the nearest
 * package.json that is not the MCP script; else the script beside it that is called main, cli or index, whatever its
 * extension.
 *
 * @param setting a relative path starts from the MCP script's folder: clients choose the working directory (F122)
 * @param mcpScript the script that this process runs
 * @param commandPath the first command that needs it, for the message
 * @returns an absolute path, links resolved
 * @throws UsageError `CLI_ENTRY_NOT_FOUND`, `CLI_ENTRY_AMBIGUOUS`
 */
export function findCliEntry(
  setting: string | undefined,
  mcpScript: string | undefined,
  commandPath: string,
): string {
  const script = realScript(resolve(mcpScript ?? 'mcp.js'));
  if (setting !== undefined) return ofSetting(setting, dirname(script));
  const targets = binTargets(script);
  const [target, ...moreTargets] = targets;
  if (target !== undefined && moreTargets.length === 0) return target;
  if (target !== undefined)
    throw ambiguous(commandPath, 'the package.json has several programs', targets, script);
  const beside = scriptsBeside(script);
  const [found, ...moreBeside] = beside;
  if (found === undefined) throw notFound(commandPath, script);
  if (moreBeside.length > 0)
    throw ambiguous(commandPath, 'several scripts lie beside the MCP script', beside, script);
  return found;
}

const SCRIPT_EXTENSIONS = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx'];

/** As Node would find it: `node dist/mcp` is `dist/mcp.js`. */
function realScript(path: string): string {
  const candidates = [
    path,
    ...SCRIPT_EXTENSIONS.map((extension) => path + extension),
    join(path, 'index.js'),
  ];
  return realpathSync(candidates.find(isFile) ?? dirname(path));
}

function ofSetting(setting: string, folder: string): string {
  const path = setting.startsWith('file:') ? fileURLToPath(setting) : resolve(folder, setting);
  if (!isFile(path)) {
    throw new UsageError(
      'CLI_ENTRY_NOT_FOUND',
      `Setting "cliEntry": there is no file "${path}". A relative path starts from the folder of the MCP script.`,
    );
  }
  const script = realpathSync(path);
  if (/\.(?:cmd|bat|ps1|sh|exe)$/i.test(script)) {
    throw new UsageError(
      'CLI_ENTRY_NOT_FOUND',
      `Setting "cliEntry": "${path}" is no script that Node runs. Name the JavaScript file behind it.`,
    );
  }
  return script;
}

/** Programs of the nearest package, but for the MCP script: one file under two names is one. */
function binTargets(script: string): readonly string[] {
  const manifest = nearestManifest(dirname(script));
  if (!manifest) return [];
  const { folder, bin } = manifest;
  const paths = typeof bin === 'string' ? [bin] : Object.values((bin ?? {}) as Record<string, unknown>);
  const targets = paths
    .filter((path) => typeof path === 'string')
    .map((path) => toRunnable(resolve(folder, path), script, folder))
    .filter((path) => path !== undefined && path !== script);
  return [...new Set(targets as string[])];
}

/**
 * A target in another build folder counts by its counterpart beside the MCP script: a server that is run from its
 * sources must not start a stale build.
 *
 * @returns undefined where there is nothing that could be run
 */
function toRunnable(target: string, script: string, folder: string): string | undefined {
  const counterpart = counterparts(target, script, folder).find(isFile);
  if (counterpart !== undefined) return realpathSync(counterpart);
  const isSource = isTypeScript(script) && !isTypeScript(target);
  return isFile(target) && !isSource ? realpathSync(target) : undefined;
}

/** `dist/cli/main.js` seen from `src/mcp.ts`: `src/cli/main.ts`, or `src/main.ts`. */
function counterparts(target: string, script: string, folder: string): readonly string[] {
  const [ownRoot = ''] = relative(folder, script).split(sep);
  const [targetRoot = '', ...rest] = relative(folder, target).split(sep);
  if (ownRoot === targetRoot) return [];
  const beside = join(dirname(script), basename(target));
  const places = rest.length === 0 ? [beside] : [join(folder, ownRoot, ...rest), beside];
  return places.flatMap((place) => {
    const stem = place.slice(0, place.length - extname(place).length);
    return [...new Set([extname(script), extname(place)])].map((extension) => stem + extension);
  });
}

function isTypeScript(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path);
}

const USUAL_NAMES = ['main', 'cli', 'index'];

/** The scripts of usual names in the MCP script's folder: those with its extension, else with another one. */
function scriptsBeside(script: string): readonly string[] {
  for (const extensions of extensionsBeside(script)) {
    const paths = USUAL_NAMES.flatMap((name) => extensions.map((each) => join(dirname(script), name + each)));
    const found = paths
      .filter(isFile)
      .map((path) => realpathSync(path))
      .filter((path) => path !== script);
    if (found.length > 0) return found;
  }
  return [];
}

const JAVASCRIPT = ['.js', '.mjs', '.cjs'];
const TYPESCRIPT = ['.ts', '.mts', '.cts', '.tsx'];

/** In groups, the ones to prefer first. A server that is run from its build starts no sources. */
function extensionsBeside(script: string): readonly (readonly string[])[] {
  const own = [extname(script)];
  return isTypeScript(script) ? [own, TYPESCRIPT, JAVASCRIPT] : [own, JAVASCRIPT];
}

interface Manifest {
  readonly folder: string;
  readonly bin: unknown;
}

function nearestManifest(start: string): Manifest | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) {
      const { name, bin } = readManifest(file);
      // One that only says `"type": "module"` (a common dist/package.json) is no package's.
      if (name !== undefined || bin !== undefined) return { folder, bin };
    }
    if (folder === dirname(folder)) return undefined;
  }
}

function readManifest(file: string): { readonly name?: unknown; readonly bin?: unknown } {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown; bin?: unknown };
  } catch {
    return {};
  }
}

function isFile(path: string): boolean {
  return isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

const WAY_OUT = "Name it by the setting `cliEntry`, such as { cliEntry: './main.js' }.";

function ambiguous(
  commandPath: string,
  reason: string,
  candidates: readonly string[],
  script: string,
): UsageError {
  const shown = candidates.map((path) => relative(dirname(script), path)).join(', ');
  return new UsageError(
    'CLI_ENTRY_AMBIGUOUS',
    `Command "${commandPath}" runs as a child process, but which script is the CLI? ` +
      `${reason[0]?.toUpperCase()}${reason.slice(1)}: ${shown}. ${WAY_OUT}`,
  );
}

function notFound(commandPath: string, script: string): UsageError {
  const extensions = [...new Set(extensionsBeside(script).flat())].join(', ');
  return new UsageError(
    'CLI_ENTRY_NOT_FOUND',
    `Command "${commandPath}" runs as a child process, but the script of the CLI was not found: the nearest package.json names no ` +
      `program besides the MCP script, and no ${USUAL_NAMES.join(', ')} (${extensions}) lies beside it ("${dirname(script)}"). ${WAY_OUT}`,
  );
}
