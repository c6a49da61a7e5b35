/*
 * Marks that make tools of commander commands. One module, no dependency, nothing runs: all that a CLI loads.
 * Marks only write; the server's registry reads them once, at start.
 */
import type { CallContext, ServedContext } from './call-context.js';
import type { ArgumentDescription, OptionDescription } from './descriptions.js';
import type {
  ArgumentLike,
  CommandClass,
  CommandLike,
  FlagMark,
  JsonSchemaLike,
  LongRunningOptions,
  Mark,
  OptionLike,
  OptionsMark,
  ResourceOptions,
  ToolMarks,
  ToolOptions,
} from './marks.js';

export type { Answer, CallContext, LogLevel } from './call-context.js';
export type { ArgumentDescription, OptionDescription, ValueType } from './descriptions.js';
export type * from './marks.js';

/** Makes the command a tool. The other marks say more about a tool; alone they make none. */
export const McpTool: OptionsMark<ToolOptions> = optionsMark((tool: ToolOptions) => ({ tool }));

/** The name that people see (`title` and `annotations.title`). */
export const McpTitle = (title: string): Mark => valueMark('McpTitle', { title }, title);

/** Changes nothing in its environment: `readOnlyHint: true`. */
export const McpReadOnly: FlagMark = flagMark({ readOnly: true });

/** May destroy what is there: `destructiveHint: true`, `readOnlyHint: false`. The default for commands that write. */
export const McpDestructive: FlagMark = flagMark({ destructive: true });

/** Writes, but destroys nothing: `destructiveHint: false`. */
export const McpAdditive: FlagMark = flagMark({ additive: true });

/** Running it again with the same arguments changes nothing more: `idempotentHint: true`. */
export const McpIdempotent: FlagMark = flagMark({ idempotent: true });

/** Talks to a world outside of this machine: `openWorldHint: true`. */
export const McpOpenWorld: FlagMark = flagMark({ openWorld: true });

/** Runs in the background, as a task that the agent follows. */
export const McpLongRunning: OptionsMark<LongRunningOptions> = optionsMark(
  (longRunning: LongRunningOptions) => ({ longRunning }),
);

/** Runs as a child process even when synchronous. */
export const McpIsolated: FlagMark = flagMark({ isolated: true });

/** May overlap with other in-process calls: keeps no state between or beside its calls. */
export const McpConcurrent: FlagMark = flagMark({ concurrent: true });

/** Exit codes that are a normal result, not an error. 0 always is. */
export const McpExitCodes = (exitCodes: readonly number[]): Mark =>
  // What is no list is refused at start, with the name of the command.
  valueMark('McpExitCodes', { exitCodes: Array.isArray(exitCodes) ? [...exitCodes] : exitCodes }, exitCodes);

/** The tool's input schema, sent unchanged in place of the generated one. */
export const McpInputSchema = (inputSchema: JsonSchemaLike): Mark =>
  valueMark('McpInputSchema', { inputSchema }, inputSchema);

/** The tool's `outputSchema`: what the command returns, or prints as JSON, is checked against it. */
export const McpOutput = (output: JsonSchemaLike): Mark => valueMark('McpOutput', { output }, output);

/** Offers a command marked `McpReadOnly` as a resource that clients read by its uri. Not with `McpLongRunning`. */
export const McpResource = (resource: ResourceOptions): Mark =>
  valueMark('McpResource', { resource }, resource);

/** The OAuth scope that a caller over HTTP must hold. */
export const McpScope = (scope: string): Mark => valueMark('McpScope', { scope }, scope);

/**
 * `McpTool` and further marks, on an existing `Command`.
 *
 * @returns the command, with its type
 * @throws TypeError where it is no command, or one of the others is no mark
 */
export function exposeAsTool<C extends CommandLike>(command: C, ...marks: readonly Mark[]): C {
  if (!isTarget(command)) throw new TypeError(noCommand(command));
  if (!marksOf(command).tool) McpTool(command);
  for (const mark of marks) {
    if (typeof mark !== 'function') throw new TypeError(noMark(command, mark));
    mark(command);
  }
  return command;
}

function noCommand(given: unknown): string {
  const what =
    typeof given === 'object' && given !== null ? JSON.stringify(Object.keys(given)) : String(given);
  const shown = what.startsWith('[') ? `an object with the members ${what}` : what;
  return (
    `exposeAsTool got ${shown}, which is no commander Command: ` +
    "write exposeAsTool(program.command('name').action(…), McpReadOnly)."
  );
}

function noMark(command: CommandLike, given: unknown): string {
  const { name } = command as { name?: unknown };
  const where = typeof name === 'function' ? ` for command "${String(name.call(command))}"` : '';
  const what = typeof given === 'string' ? JSON.stringify(given) : String(given);
  return `exposeAsTool got ${what}${where}, which is no mark: write McpReadOnly, McpTitle('…') and the like.`;
}

/**
 * Says what commander's declaration of an option cannot: its type, that it is secret, ... Given a Command, the
 * option is named by its flag, since `.option()` returns the command.
 *
 * @returns its first argument
 * @throws TypeError where the command has no option of that flag
 */
export function describeOption<O extends OptionLike>(option: O, description: OptionDescription): O;
export function describeOption<C extends CommandLike>(
  command: C,
  flag: string,
  description: OptionDescription,
): C;
export function describeOption(
  target: OptionLike | CommandLike,
  flagOrDescription: string | OptionDescription,
  description?: OptionDescription,
): OptionLike | CommandLike {
  if (typeof flagOrDescription !== 'string') return describe(target, flagOrDescription);
  const flag = flagOrDescription;
  const { options } = target as CommandLike;
  const option = options.find((each) => each.long === flag || each.short === flag);
  if (!option) throw notFound(target, `option "${flag}"`, options.map((each) => each.flags)); // prettier-ignore
  describe(option, description ?? {});
  return target;
}

/**
 * Says what commander's declaration of an argument cannot. Given a Command, the argument is named by its name.
 *
 * @returns its first argument
 * @throws TypeError where the command has no argument of that name
 */
export function describeArgument<A extends ArgumentLike>(argument: A, description: ArgumentDescription): A;
export function describeArgument<C extends CommandLike>(
  command: C,
  name: string,
  description: ArgumentDescription,
): C;
export function describeArgument(
  target: ArgumentLike | CommandLike,
  nameOrDescription: string | ArgumentDescription,
  description?: ArgumentDescription,
): ArgumentLike | CommandLike {
  if (typeof nameOrDescription !== 'string') return describe(target, nameOrDescription);
  const { registeredArguments } = target as CommandLike;
  const argument = registeredArguments.find((each) => each.name() === nameOrDescription);
  if (!argument) {
    const names = registeredArguments.map((each) => each.name());
    throw notFound(target, `argument "${nameOrDescription}"`, names);
  }
  describe(argument, description ?? {});
  return target;
}

/** The running tool call, inside an action; inert outside one, so that the same action runs on the command line. */
export function callContext(): CallContext {
  const supply = (globalThis as Shared)[CALL_CONTEXT];
  return supply?.() ?? INERT;
}

/**
 * Whether the running tool call takes what the action of this command returns into its result: so does a server in its
 * own process. Elsewhere, on the command line and in a child process, what is to be read must be printed. For frameworks.
 */
export function takesReturned(command: object): boolean {
  const context = (globalThis as Shared)[CALL_CONTEXT]?.() as ServedContext | undefined;
  return context?.returningCommand === command;
}

/**
 * The marks of a command: its own over those of its own class. A subclass is not a tool because its parent is one.
 * For frameworks; a CLI has no need of it.
 */
export function marksOf(target: object): ToolMarks {
  const store = sharedMap(MARKS);
  const own = store.get(target) as ToolMarks | undefined;
  if (typeof target === 'function') return own ?? {};
  const ofClass = store.get(target.constructor) as ToolMarks | undefined;
  return ofClass ? { ...ofClass, ...own } : (own ?? {});
}

/** Gives a command the marks of the class that it is built from. For frameworks. */
export function copyMarks(source: object, target: object): void {
  write(MARKS, target, marksOf(source));
}

/** What `describeOption` or `describeArgument` said of an option or argument. For frameworks. */
export function descriptionOf(node: object): OptionDescription | undefined {
  return sharedMap(DESCRIPTIONS).get(node) as OptionDescription | undefined;
}

/* Registered symbols on the global object: two copies of this package in one process agree. */
const MARKS = Symbol.for('mcpify.marks');
const DESCRIPTIONS = Symbol.for('mcpify.descriptions');
const CALL_CONTEXT = Symbol.for('mcpify.callContext');

interface Shared {
  [MARKS]?: WeakMap<object, object>;
  [DESCRIPTIONS]?: WeakMap<object, object>;
  [CALL_CONTEXT]?: () => CallContext | undefined;
}

function sharedMap(key: typeof MARKS | typeof DESCRIPTIONS): WeakMap<object, object> {
  return ((globalThis as Shared)[key] ??= new WeakMap());
}

function write(key: typeof MARKS | typeof DESCRIPTIONS, target: object, facts: object): void {
  const map = sharedMap(key);
  map.set(target, Object.freeze({ ...map.get(target), ...facts }));
}

function flagMark(marks: ToolMarks): FlagMark {
  const mark = toMark(marks);
  return ((target?: unknown, context?: unknown) =>
    target === undefined ? mark : applyTo(target, context, marks)) as FlagMark;
}

function optionsMark<Options extends object>(toMarks: (options: Options) => ToolMarks): OptionsMark<Options> {
  return ((target?: unknown, context?: unknown) =>
    isTarget(target)
      ? applyTo(target, context, toMarks({} as Options))
      : toMark(toMarks((target ?? {}) as Options))) as OptionsMark<Options>;
}

function valueMark(name: string, marks: ToolMarks, value: unknown): Mark {
  if (value === undefined || isTarget(value)) {
    throw new TypeError(`${name} needs a value: write @${name}(value), or ${name}(value)(command).`);
  }
  return toMark(marks);
}

function toMark(marks: ToolMarks): Mark {
  return ((target: unknown, context?: unknown) => applyTo(target, context, marks)) as Mark;
}

/** The second argument tells the case: a context object is TC39, none a plain call or a legacy decorator. */
function applyTo(target: unknown, context: unknown, marks: ToolMarks): unknown {
  if (!isTarget(target) || typeof context === 'string' || typeof context === 'symbol') {
    throw new TypeError(
      'A mark goes on a commander Command or on a class, not on a member or another value.',
    );
  }
  if (isDecoratorContext(context)) {
    if (context.kind !== 'class') throw new TypeError(`A mark goes on a class, not on a ${context.kind}.`);
    // `this` is the class as it is in the end: a decorator above that replaces it loses no mark.
    context.addInitializer(function (this: unknown) {
      write(MARKS, this as object, marks);
    });
    return undefined;
  }
  write(MARKS, target, marks);
  return typeof target === 'function' ? undefined : target;
}

function isDecoratorContext(context: unknown): context is DecoratorContext {
  return typeof context === 'object' && context !== null && 'kind' in context && 'addInitializer' in context;
}

function isTarget(value: unknown): value is CommandLike | CommandClass {
  if (typeof value === 'function') return true;
  const command = value as { commands?: unknown; parseAsync?: unknown } | null | undefined;
  return Array.isArray(command?.commands) && typeof command.parseAsync === 'function';
}

function describe<T extends object>(node: T, description: OptionDescription): T {
  write(DESCRIPTIONS, node, description);
  return node;
}

function notFound(command: object, what: string, known: readonly string[]): TypeError {
  const list = known.length === 0 ? 'It has none.' : `It has: ${known.join('; ')}.`;
  return new TypeError(`Command "${(command as CommandLike).name()}" has no ${what}. ${list}`);
}

const INERT: CallContext = Object.freeze({
  signal: new AbortController().signal,
  caller: undefined,
  isMcp: false,
  progress() {},
  log() {},
  ask: () => Promise.resolve({ action: 'cancel' as const }),
});
