import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { UsageError } from '../errors/usage-error.js';
import type { ControlParams, McpOptions, SessionCache, Settings } from './mcp-options.js';
import {
  amount,
  callback,
  checkIsSettings,
  choice,
  filled,
  flag,
  folder,
  invalid,
  text,
  values,
} from './setting-values.js';
import { checkHttp } from './http-options.js';
import { refuseUnknown } from './refuse-unknown.js';
import { middlewareList } from './resolve-middleware.js';
import { resolveTasks } from './task-options.js';

const OUTPUT_BUDGET_BYTES = 100_000;

/**
 * Fills in every default (B10) and refuses values that cannot be meant.
 *
 * @param entryPath the script whose nearest package.json names the server
 * @throws UsageError `INVALID_SETTING`
 */
export function resolveSettings(
  options: McpOptions,
  program: { name(): string },
  entryPath: string | undefined = process.argv[1],
): Settings {
  checkNames(options);
  checkHttp(options.http);
  const manifest = nearestManifest(entryPath);
  return {
    name: filled('name', options.name) ?? manifest.name ?? (program.name() || 'mcpify'),
    version: filled('version', options.version) ?? manifest.version ?? '0.0.0',
    instructions: text('instructions', options.instructions),
    cwd: resolve(text('cwd', options.cwd) ?? process.cwd()),
    cliEntry: text('cliEntry', options.cliEntry),
    root: folder('root', options.root),
    pinnedValues: values('pinnedValues', options.pinnedValues),
    defaultValues: values('defaultValues', options.defaultValues),
    sessionCache: choice('sessionCache', options.sessionCache, SESSION_CACHES) ?? 'auto',
    cacheFlags: flag('cacheFlags', options.cacheFlags) ?? false,
    controlParams: controlParams(options.controlParams),
    logPrefix: text('logPrefix', options.logPrefix) ?? '',
    outputBudgetBytes: amount('outputBudgetBytes', options.outputBudgetBytes) ?? OUTPUT_BUDGET_BYTES,
    callTimeoutMs: amount('callTimeoutMs', options.callTimeoutMs),
    isEnabled: callback('isEnabled', options.isEnabled),
    middleware: middlewareList(options.middleware),
    tasks: resolveTasks(options),
    serveLoadErrors: flag('serveLoadErrors', options.serveLoadErrors) ?? false,
  };
}

const SESSION_CACHES: readonly SessionCache[] = ['auto', 'connection', 'handle', 'off'];

const NAMES: Record<keyof McpOptions, true> = {
  name: true,
  version: true,
  instructions: true,
  cwd: true,
  cliEntry: true,
  root: true,
  pinnedValues: true,
  defaultValues: true,
  sessionCache: true,
  cacheFlags: true,
  controlParams: true,
  logPrefix: true,
  outputBudgetBytes: true,
  callTimeoutMs: true,
  isEnabled: true,
  middleware: true,
  serveLoadErrors: true,
  stateDir: true,
  maxConcurrentTasks: true,
  maxQueuedTasks: true,
  tasks: true,
  http: true,
};

/** A setting that is misspelt, or not served by this version, must not be silently without effect. */
function checkNames(options: McpOptions): void {
  checkIsSettings(options);
  refuseUnknown(options, Object.keys(NAMES), (name) => `Unknown setting "${name}"`);
}

const CONTROLS = ['background', 'debug', 'nocache', 'session'] as const;

function controlParams(value: unknown): ControlParams {
  const names = values('controlParams', value);
  refuseUnknown(names, CONTROLS, (name) => `Unknown setting "controlParams.${name}"`);
  for (const [control, name] of Object.entries(names)) {
    const isName = typeof name === 'string' && /^[A-Za-z_][A-Za-z0-9_]{0,59}$/.test(name);
    if (name !== false && !isName) {
      throw invalid(`controlParams.${control}`, name, 'a name of letters, digits and "_", or false');
    }
  }
  checkApart(names);
  return names;
}

/** Two control parameters of one name would be one. */
function checkApart(renamed: ControlParams): void {
  const controls = new Map<string, string>();
  for (const control of CONTROLS) {
    const name = renamed[control] ?? control;
    if (name === false) continue;
    const other = controls.get(name);
    if (other !== undefined) {
      throw new UsageError(
        'INVALID_SETTING',
        `Setting "controlParams": "${other}" and "${control}" have the same name, "${name}". Give one of them another.`,
      );
    }
    controls.set(name, control);
  }
}

function nearestManifest(entryPath: string | undefined): { name?: string; version?: string } {
  if (!entryPath) return {};
  for (let folder = followLinks(resolve(entryPath)); ; folder = dirname(folder)) {
    const manifest = readManifest(join(folder, 'package.json'));
    // A package.json that only says `"type": "module"` (a common dist/package.json) names nothing.
    if (manifest?.name) return manifest;
    if (folder === dirname(folder)) return {};
  }
}

/** A package's command is a link in `node_modules/.bin`, in the folder of another package. */
function followLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function readManifest(path: string): { name?: string; version?: string } | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    return {
      ...(typeof name === 'string' && { name }),
      ...(typeof version === 'string' && { version }),
    };
  } catch {
    return undefined;
  }
}
