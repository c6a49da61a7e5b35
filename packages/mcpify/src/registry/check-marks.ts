import type { ToolMarks } from '@mcpify/markers';

import { UsageError } from '../errors/usage-error.js';
import { refuseUnknown } from '../options/refuse-unknown.js';
import { displayPath, type CommandNode } from '../schema/command-node.js';

/**
 * Refuses marks that contradict each other or the command, before any tool is made of it.
 *
 * @throws UsageError `MARK_ON_GROUP`, `CONTRADICTORY_MARKS`, `INVALID_SETTING`
 */
export function checkMarks(command: CommandNode, marks: ToolMarks): void {
  checkGroup(command);
  if (isBare(marks)) return;
  checkContradictions(command, marks);
  checkKeys(command, marks);
  checkValues(command, marks);
}

/** Marked `McpTool` and nothing else, as most commands are: nothing can be wrong. */
function isBare(marks: ToolMarks): boolean {
  return Object.keys(marks).length === 1 && marks.tool !== undefined && Object.keys(marks.tool).length === 0;
}

/** Runs something itself: an action of its own, or an executable file (`.command(name, description)`). */
function isRunnable(command: CommandNode): boolean {
  return Boolean(command._actionHandler) || command._executableHandler === true;
}

function checkGroup(command: CommandNode): void {
  if (isRunnable(command)) return;
  const trap =
    "Note that .command('name', 'description') and .addCommand() return the parent, not the new command: " +
    "mark what .command('name') returns, or the Command object itself.";
  const hint =
    command.commands.length > 0
      ? 'Mark its subcommands instead, or give it an action of its own.'
      : 'Give it an action: .action(…).';
  throw new UsageError(
    'MARK_ON_GROUP',
    `"${displayPath(command)}" is marked as a tool, but has no action that could run. ${hint} ${trap}`,
  );
}

function checkContradictions(command: CommandNode, marks: ToolMarks): void {
  const pairs = [
    ['McpReadOnly', marks.readOnly, 'McpDestructive', marks.destructive],
    ['McpReadOnly', marks.readOnly, 'McpAdditive', marks.additive],
    ['McpDestructive', marks.destructive, 'McpAdditive', marks.additive],
    ['McpConcurrent', marks.concurrent, 'McpIsolated', marks.isolated],
    ['McpResource', marks.resource, 'McpLongRunning', marks.longRunning],
  ] as const;
  for (const [first, hasFirst, second, hasSecond] of pairs) {
    if (hasFirst && hasSecond) {
      throw new UsageError(
        'CONTRADICTORY_MARKS',
        `Command "${displayPath(command)}" is marked ${first} and ${second}, which exclude each other. Remove one.`,
      );
    }
  }
  if (marks.resource && !marks.readOnly) {
    throw new UsageError(
      'CONTRADICTORY_MARKS',
      `Command "${displayPath(command)}" is marked McpResource but not McpReadOnly: clients read resources without ` +
        'asking anybody. Mark it McpReadOnly if it changes nothing, else remove McpResource.',
    );
  }
}

/** What each mark with settings knows. */
const KEYS = [
  ['McpTool', 'tool', ['name', 'description']],
  ['McpLongRunning', 'longRunning', ['timeoutMs', 'taskSupport', 'leftovers']],
  ['McpResource', 'resource', ['uriTemplate', 'mimeType']],
] as const satisfies readonly (readonly [string, keyof ToolMarks, readonly string[]])[];

function checkKeys(command: CommandNode, marks: ToolMarks): void {
  for (const [mark, member, known] of KEYS) {
    const what = (key: string) => `${mark} of command "${displayPath(command)}" has no setting "${key}"`;
    refuseUnknown(marks[member] ?? {}, known, what);
  }
}

function isExitCodes(codes: unknown): boolean {
  return (
    Array.isArray(codes) &&
    codes.every((code: unknown) => Number.isInteger(code) && (code as number) >= 0 && (code as number) <= 255)
  );
}

function checkValues(command: CommandNode, marks: ToolMarks): void {
  const wrong = (mark: string, wanted: string) =>
    new UsageError('INVALID_SETTING', `${mark} of command "${displayPath(command)}" must be ${wanted}.`);
  if (marks.title !== undefined && (typeof marks.title !== 'string' || marks.title.trim() === '')) {
    throw wrong('McpTitle', 'a text that is not empty');
  }
  if (marks.exitCodes !== undefined && !isExitCodes(marks.exitCodes)) {
    throw wrong('McpExitCodes', 'a list of integers from 0 to 255');
  }
  const description: unknown = marks.tool?.description;
  if (description !== undefined && typeof description !== 'string') {
    throw wrong('McpTool({ description })', 'a text');
  }
  const schema = marks.inputSchema as { type?: unknown } | null | undefined;
  if (schema !== undefined && schema?.type !== 'object') {
    throw wrong('McpInputSchema', "a JSON Schema of type 'object'");
  }
  if (schema !== undefined && !isJson(schema)) throw wrong('McpInputSchema', 'plain JSON');
  const output = marks.output as { type?: unknown } | null | undefined;
  if (output !== undefined && output?.type !== 'object') {
    throw wrong('McpOutput', "a JSON Schema of type 'object'");
  }
  if (output !== undefined && !isJson(output)) throw wrong('McpOutput', 'plain JSON');
  if (marks.scope !== undefined && !isScope(marks.scope)) {
    throw wrong(
      'McpScope',
      "one OAuth scope: a text without white space, quotes and backslashes, such as 'notes:write'. It names a single " +
        'scope that the caller must hold; for two of them, have the authorization server give a third',
    );
  }
  checkLongRunning(wrong, marks);
}

/** A scope-token of RFC 6749, 3.3: white space parts two of them. */
function isScope(scope: unknown): boolean {
  return typeof scope === 'string' && /^[\u0021\u0023-\u005B\u005D-\u007E]+$/.test(scope);
}

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

function checkLongRunning(wrong: (mark: string, wanted: string) => UsageError, marks: ToolMarks): void {
  const { timeoutMs, taskSupport, leftovers } = marks.longRunning ?? {};
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs < Infinity)) {
    throw wrong('McpLongRunning({ timeoutMs })', 'a number of milliseconds, at least 1');
  }
  if (taskSupport !== undefined && taskSupport !== 'optional' && taskSupport !== 'required') {
    throw wrong('McpLongRunning({ taskSupport })', "'optional' or 'required'");
  }
  if (leftovers !== undefined && leftovers !== 'kill' && leftovers !== 'keep') {
    throw wrong('McpLongRunning({ leftovers })', "'kill' or 'keep'");
  }
}
