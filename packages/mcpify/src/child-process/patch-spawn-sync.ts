import childProcess, { type SpawnSyncOptions } from 'node:child_process';

import { withoutInherited, type SpawnOwner, type Stdio } from './inherited-stdio.js';

type AnyFunction = (...args: unknown[]) => unknown;

interface SyncResult {
  error?: Error;
  status: number | null;
  output: unknown[] | null;
  stdout: unknown;
  stderr: unknown;
}

/** `spawnSync`, `execSync` and `execFileSync`, which pass by `ChildProcess`. */
export function patchSpawnSync(findOwner: () => SpawnOwner | undefined): void {
  const module = childProcess as unknown as Record<string, AnyFunction>;
  const { spawnSync, execSync, execFileSync } = module;
  if (!spawnSync || !execSync || !execFileSync) return;
  module['spawnSync'] = (file, ...rest) => {
    const owner = findOwner();
    if (!owner) return spawnSync(file, ...rest);
    const { args, options } = readArguments(rest, owner);
    if (!inherits(options.stdio)) return spawnSync(file, args, options);
    return runCaptured(spawnSync, owner, file, args, options);
  };
  module['execFileSync'] = (file, ...rest) => {
    const owner = findOwner();
    if (!owner) return execFileSync(file, ...rest);
    const { args, options } = readArguments(rest, owner);
    if (!inherits(options.stdio)) return execFileSync(file, args, options);
    return outputOrThrow(runCaptured(spawnSync, owner, file, args, options), [file, ...args].join(' '));
  };
  module['execSync'] = (command, ...rest) => {
    const owner = findOwner();
    if (!owner) return execSync(command, ...rest);
    const { options } = readArguments(rest, owner);
    if (!inherits(options.stdio)) return execSync(command, options);
    const withShell = { ...options, shell: options.shell ?? true };
    return outputOrThrow(runCaptured(spawnSync, owner, command, [], withShell), String(command));
  };
  for (const name of ['spawnSync', 'execFileSync', 'execSync']) {
    Object.defineProperty(module[name], 'name', { value: name });
  }
}

/** The result is what it would be with inherited streams: without their text. */
function runCaptured(
  spawnSync: AnyFunction,
  owner: SpawnOwner,
  file: unknown,
  args: readonly unknown[],
  options: SpawnSyncOptions,
): SyncResult {
  const { stdio, captured } = withoutInherited(options.stdio as Stdio);
  // A pipe has a limit, by which the child would be killed; an inherited stream has none.
  const maxBuffer = options.maxBuffer ?? Infinity;
  const result = spawnSync(file, args, { ...options, stdio, maxBuffer }) as SyncResult;
  for (const [index, stream] of captured) {
    const output = result.output?.[index];
    if (typeof output === 'string') owner.writeOfChild(stream, output);
    else if (output) owner.writeOfChild(stream, (output as Buffer).toString('utf8'));
    if (result.output) result.output[index] = null;
    if (index === 1) result.stdout = null;
    if (index === 2) result.stderr = null;
  }
  return result;
}

interface Arguments {
  readonly args: readonly unknown[];
  readonly options: SpawnSyncOptions;
}

function readArguments(rest: readonly unknown[], { environment }: SpawnOwner): Arguments {
  const [first, second] = rest;
  const args = Array.isArray(first) ? (first as unknown[]) : [];
  const options = ((Array.isArray(first) ? second : (first ?? second)) ?? {}) as SpawnSyncOptions;
  return { args, options: environment && !options.env ? { ...options, env: { ...process.env } } : options };
}

/** Without `stdio` they pipe, but for stderr, which they print by `process.stderr` themselves. */
function inherits(stdio: unknown): boolean {
  if (stdio === undefined || stdio === null) return false;
  const given = Array.isArray(stdio) ? (stdio as unknown[]) : [];
  const { stdio: list } = withoutInherited(stdio as Stdio);
  return typeof stdio === 'string' ? list[0] !== stdio : list.some((entry, index) => entry !== given[index]);
}

/** As `execSync` and `execFileSync` do: the output, or an error that carries the result. */
function outputOrThrow(result: SyncResult, command: string): unknown {
  if (result.error) throw Object.assign(result.error, result);
  if (result.status === 0) return result.stdout;
  const said = result.stderr ? `\n${String(result.stderr)}` : '';
  throw Object.assign(new Error(`Command failed: ${command}${said}`), result);
}
