import { UsageError } from '../errors/usage-error.js';
import { interceptExits } from '../execution/patch-exit.js';
import type { CommandNode } from '../schema/command-node.js';
import { sourceOf, tellSlowLoading } from './tell-slow-loading.js';

/** Loads the module that exports the program: `() => import('./program.js')`. */
export type ProgramLoader = () => unknown;

/** The program itself, or a factory that makes one for each call. */
export type ProgramSource = CommandNode | (() => CommandNode);

/**
 * Loads the user's module and finds the program in it: `program`, `default`, `default.program`, `default.default`; a
 * `Command`, a promise or a factory of one. `installPatches` must have run before.
 *
 * @param known gives the program of a module that was loaded before
 * @throws UsageError `PROGRAM_NOT_FOUND`, `PROGRAM_PARSED_ON_IMPORT`; and whatever the module throws
 */
export async function loadProgram(
  load: ProgramLoader,
  known: (module: unknown) => ProgramSource | undefined = () => undefined,
): Promise<ProgramSource> {
  if (typeof load !== 'function') throw notALoader();
  let hasExited = false;
  const restore = interceptExits(() => {
    hasExited = true;
  });
  let isRead = false;
  const finish = tellSlowLoading(() =>
    isRead ? 'what the exported function returns' : `what ${sourceOf(load)} imports`,
  );
  try {
    const module = await load();
    isRead = true;
    const source = known(module) ?? (await findProgram(module));
    if (!hasExited) return source;
  } catch (error) {
    if (!hasExited) throw error;
  } finally {
    finish();
    restore();
  }
  // A module that only declares a program never exits.
  throw parsedOnImport();
}

async function findProgram(module: unknown): Promise<ProgramSource> {
  for (const exported of candidates(module)) {
    // `export default buildProgram()`, where that is async.
    const candidate = isThenable(exported) ? ((await exported) as unknown) : exported;
    if (isCommand(candidate)) return checkNotParsed(candidate);
    if (typeof candidate === 'function' && !isClass(candidate))
      return fromFactory(candidate as () => unknown);
  }
  throw notFound(module);
}

type Exports = Readonly<Record<string, unknown>>;

function candidates(module: unknown): readonly unknown[] {
  const exports = (module ?? {}) as Exports;
  const inner = (exports['default'] ?? {}) as Exports;
  // A loader may also give the program itself.
  return [module, exports['program'], exports['default'], inner['program'], inner['default']];
}

function isCommand(value: unknown): value is CommandNode {
  const { commands, parseAsync } = (value ?? {}) as Partial<CommandNode>;
  return typeof value === 'object' && Array.isArray(commands) && typeof parseAsync === 'function';
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

function isClass(value: unknown): boolean {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}

/**
 * A factory that answers at once makes a program for each call; one that is awaited, or gives the same one again, a
 * single one.
 */
async function fromFactory(factory: () => unknown): Promise<ProgramSource> {
  const made = factory();
  const first = await made;
  if (!isCommand(first)) throw notACommand();
  checkNotParsed(first);
  if (made !== first) return first;
  let unused: unknown = factory();
  if (unused === first) return first;
  if (!isCommand(unused)) throw notACommand();
  return () => {
    const program = unused ?? factory();
    unused = undefined;
    if (!isCommand(program)) throw notACommand();
    return program;
  };
}

function notACommand(): UsageError {
  return new UsageError('PROGRAM_NOT_FOUND', 'The exported function does not return a commander Command.');
}

interface ParseState {
  readonly rawArgs?: readonly string[];
  readonly _savedState?: object | null;
}

function checkNotParsed(program: CommandNode): CommandNode {
  const { rawArgs, _savedState: savedState } = program as ParseState;
  // An argv of its own may be empty; what commander saves before a parse tells, from 13 on.
  if (rawArgs?.length || savedState) throw parsedOnImport();
  return program;
}

export function parsedOnImport(): UsageError {
  return new UsageError(
    'PROGRAM_PARSED_ON_IMPORT',
    'The program parses its command line as soon as it is imported, so it runs in place of the server. ' +
      'Move `program.parse()` to main.ts, and export the program from a module that only declares it.',
  );
}

function notALoader(): UsageError {
  return new UsageError(
    'PROGRAM_NOT_FOUND',
    'startMcpServer takes a function that loads the program, so that nothing of it is loaded before the protocol is ' +
      "safe: startMcpServer(() => import('./program.js')).",
  );
}

function notFound(module: unknown): UsageError {
  const names = Object.keys((module ?? {}) as object);
  const found = names.length === 0 ? 'nothing' : names.join(', ');
  const hint = candidates(module).some(isClass) ? ' A class is not enough: export an instance of it.' : '';
  return new UsageError(
    'PROGRAM_NOT_FOUND',
    `The loaded module exports no commander program (it exports ${found}).${hint} ` +
      'Export it as `program` or as default: a Command, or a function that returns one.',
  );
}
