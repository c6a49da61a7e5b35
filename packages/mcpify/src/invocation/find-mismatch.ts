import { isDeepStrictEqual } from 'node:util';

import { pathOf, type ArgumentNode, type CommandNode, type OptionNode } from '../schema/command-node.js';
import type { CommandModel } from '../schema/command-model.js';
import { numberParser } from '../schema/value-shape.js';

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

/** What was asked for, and the tokens that say it. */
export interface Asked {
  readonly argv: readonly string[];
  readonly expected: readonly ExpectedOption[];
  readonly positionals: readonly string[];
}

/**
 * The guard of argv.md rule 13: what commander parsed is compared with what was asked for, before the action.
 *
 * @returns a function from the command whose action is about to run to a sentence, where it differs
 */
export function createMismatchFinder(
  model: CommandModel,
  asked: Asked,
): (actionCommand: CommandNode) => string | undefined {
  return (actionCommand) => {
    const path = pathOf(actionCommand);
    const difference =
      findInPath(path, model.path) ??
      findInPositionals(actionCommand, asked.positionals) ??
      findInLevels(path, asked);
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

function findInPositionals(
  { args, processedArgs, registeredArguments }: CommandNode,
  asked: readonly string[],
): string | undefined {
  const isSame = args.length === asked.length && args.every((text, index) => text === asked[index]);
  if (!isSame) return 'the positional arguments were read differently';
  const misread = registeredArguments.find(
    (argument, index) => index < asked.length && isMisread(argument, asked[index], processedArgs[index]),
  );
  return misread && `argument "${misread.name()}" was read differently`;
}

/** A parser that reads numbers gives another one than it was sent. */
function isMisread(argument: ArgumentNode, text = '', found: unknown): boolean {
  const read = argument.variadic ? undefined : numberParser(argument);
  return read !== undefined && !Object.is(found, read(text));
}

function findInLevels(path: readonly CommandNode[], asked: Asked): string | undefined {
  for (const [level, command] of path.entries()) {
    const difference = findInLevel(command, level, asked);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function findInLevel(command: CommandNode, level: number, { argv, expected }: Asked): string | undefined {
  for (const option of command.options) {
    const attribute = option.attributeName();
    const isRead = command.getOptionValueSource(attribute) === 'cli';
    const asked = expected.find((each) => each.level === level && each.attribute === attribute);
    if (!asked) {
      if (isRead && mayBeIn(argv, option))
        return `option "${option.flags}" was read although it was not given`;
      continue;
    }
    // What a listener of the author's makes of the option is its value, whatever was sent.
    if (command.listenerCount(`option:${option.name()}`) > 1) continue;
    if (isRead !== asked.isGiven) return `"${asked.property}" was ${isRead ? '' : 'not '}read`;
    if (!isSameValue(command.getOptionValue(attribute), asked)) {
      return `"${asked.property}" was read differently`;
    }
  }
  return undefined;
}

/** Where no token can be the option, a listener or parser of the author's has set it. */
function mayBeIn(argv: readonly string[], { long = '', short = '' }: OptionNode): boolean {
  return argv.some((token) => {
    if (token.startsWith('--')) return long !== '' && (token === long || token.startsWith(`${long}=`));
    return token.startsWith('-') && (token === long || (short !== '' && token.includes(short.slice(1))));
  });
}

function isSameValue(found: unknown, asked: ExpectedOption): boolean {
  if (!('parsed' in asked) || Object.is(found, asked.parsed) || isDeepStrictEqual(found, asked.parsed)) {
    return true;
  }
  if (asked.isGiven) return false;
  // Left out because commander has it so by itself: off, zero and empty may be "not set" there.
  return Array.isArray(asked.parsed) ? (found ?? undefined) === undefined : !asked.parsed && !found;
}
