import { isDeepStrictEqual } from 'node:util';

import { pathOf, type CommandNode } from '../schema/command-node.js';
import type { CommandModel } from '../schema/command-model.js';

/** One option whose value was asked for. */
export interface ExpectedOption {
  /** Index into the path of commands. */
  readonly level: number;
  readonly property: string;
  readonly attribute: string;
  /** Whether it stands in the argv; else the value is what commander has without it. */
  readonly isGiven: boolean;
  /** The value that commander must have; absent where a parser of the author's decides. */
  readonly parsed?: unknown;
}

/**
 * The guard of argv.md rule 13: what commander parsed is compared with what was asked for, before the action.
 *
 * @returns a function from the command whose action is about to run to a sentence, where it differs
 */
export function createMismatchFinder(
  model: CommandModel,
  expected: readonly ExpectedOption[],
  positionals: readonly string[],
): (actionCommand: CommandNode) => string | undefined {
  return (actionCommand) => {
    const path = pathOf(actionCommand);
    const difference =
      findInPath(path, model.path) ??
      findInPositionals(actionCommand.args, positionals) ??
      findInLevels(path, expected);
    return difference === undefined
      ? undefined
      : "Nothing was run: the program's command line does not carry these arguments as they were sent " +
          `(${difference}). Send other values.`;
  };
}

function findInPath(path: readonly CommandNode[], asked: readonly CommandNode[]): string | undefined {
  if (path.length === asked.length && path.every((command, level) => hasName(command, asked[level], level)))
    return undefined;
  const names = (commands: readonly CommandNode[]) => commands.slice(1).map((command) => command.name());
  return `"${names(path).join(' ')}" would run in place of "${names(asked).join(' ')}"`;
}

/** Level 0 is the program: its name follows `process.argv` where the author set none. */
function hasName(command: CommandNode, asked: CommandNode | undefined, level: number): boolean {
  return level === 0 || command.name() === asked?.name();
}

function findInPositionals(args: readonly string[], asked: readonly string[]): string | undefined {
  const isSame = args.length === asked.length && args.every((text, index) => text === asked[index]);
  return isSame ? undefined : 'the positional arguments were read differently';
}

function findInLevels(path: readonly CommandNode[], expected: readonly ExpectedOption[]): string | undefined {
  for (const [level, command] of path.entries()) {
    const difference = findInLevel(command, level, expected);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function findInLevel(
  command: CommandNode,
  level: number,
  expected: readonly ExpectedOption[],
): string | undefined {
  for (const option of command.options) {
    const attribute = option.attributeName();
    const isRead = command.getOptionValueSource(attribute) === 'cli';
    const asked = expected.find((each) => each.level === level && each.attribute === attribute);
    if (!asked) {
      if (isRead) return `option "${option.flags}" was read although it was not given`;
      continue;
    }
    if (isRead !== asked.isGiven) return `"${asked.property}" was ${isRead ? '' : 'not '}read`;
    if (!isSameValue(command.getOptionValue(attribute), asked)) {
      return `"${asked.property}" was read differently`;
    }
  }
  return undefined;
}

function isSameValue(found: unknown, asked: ExpectedOption): boolean {
  if (!('parsed' in asked) || Object.is(found, asked.parsed) || isDeepStrictEqual(found, asked.parsed)) {
    return true;
  }
  if (asked.isGiven) return false;
  // Left out because commander has it so by itself: off, zero and empty may be "not set" there.
  return Array.isArray(asked.parsed) ? (found ?? undefined) === undefined : !asked.parsed && !found;
}
