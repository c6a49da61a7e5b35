import type { ArgumentNode } from '../schema/command-node.js';
import type { CommandModel, OptionTarget, Parameter } from '../schema/command-model.js';
import { isPositional } from '../schema/reachable-flag.js';
import { mustHaveElements } from '../schema/value-schema.js';
import { show } from './describe-problem.js';
import { endOfOptions } from './end-of-options.js';
import type { ExpectedOption } from './find-mismatch.js';
import { optionTokens } from './option-tokens.js';
import type { Problem } from './problem.js';
import { MASK, toShownArgv } from './shown-argv.js';
import { toText } from './value-text.js';

export interface ArgvPlan {
  /** What stands behind the program's name. */
  readonly argv: readonly string[];
  /** The same for a command line that everybody can read; undefined where it need not differ (argv.md rule 14). */
  readonly shownArgv: () => readonly string[] | undefined;
  readonly expected: readonly ExpectedOption[];
  readonly positionals: readonly string[];
  /** What no argv can say; nothing may run then (argv.md, rule 12). */
  readonly problems: readonly Problem[];
}

/**
 * commander hands the tokens of a line on as arguments of one function call, of which the engine takes about
 * 120,000.
 */
const MOST_TOKENS = 50_000;

/**
 * Values to argv (argv.md): each level's options right after that level's name, then `--`, then the
 * positionals.
 *
 * @param wrong properties that were refused before: they have no tokens, and no second problem
 */
export function valuesToArgv(
  model: CommandModel,
  values: ReadonlyMap<string, unknown>,
  wrong: ReadonlySet<string | undefined> = NOTHING_WRONG,
): ArgvPlan {
  const problems: Problem[] = [];
  const expected: ExpectedOption[] = [];
  const levels = model.path.map(newLevel);
  const shownLevels = model.parameters.some(({ secret }) => secret) ? model.path.map(newLevel) : levels;
  for (const parameter of model.parameters) {
    const { target, property } = parameter;
    const value = values.get(property);
    if (target.kind !== 'option' || value === undefined || wrong.has(property)) continue;
    const result = optionTokens(parameter, target, value, model.path);
    if (typeof result === 'string') {
      problems.push({ property, message: result });
      continue;
    }
    addTokens(levels[target.level], result.tokens, result.open, property);
    if (shownLevels !== levels) addTokens(shownLevels[target.level], result.shown, result.open, property);
    expected.push(toExpected(target, property, value, result));
  }
  const { texts: positionals, shown } = toPositionals(model, values, wrong, problems);
  const hasTokens = levels.map(({ open, closed }) => open.length + closed.length > 0);
  const dashes = endOfOptions(model, hasTokens, positionals);
  const argv = [...joinLevels(model, levels, problems), ...dashes, ...positionals];
  const shownArgv = () => toShownArgv(argv, [...joinLevels(model, shownLevels, []), ...dashes, ...shown]);
  if (argv.length > MOST_TOKENS) {
    problems.push({
      message: `These are ${argv.length} values; a command line carries at most ${MOST_TOKENS}.`,
    });
  }
  return { argv, shownArgv, expected, positionals, problems };
}

const NOTHING_WRONG: ReadonlySet<undefined> = new Set();

/** The tokens of one level. An open token would swallow the plain one that follows it. */
interface LevelTokens {
  readonly open: string[];
  readonly closed: string[];
  readonly openProperties: string[];
}

function newLevel(): LevelTokens {
  return { open: [], closed: [], openProperties: [] };
}

function addTokens(
  level: LevelTokens | undefined,
  tokens: readonly string[],
  open: boolean,
  property: string,
): void {
  const list = open ? level?.open : level?.closed;
  for (const token of tokens) list?.push(token);
  if (open) level?.openProperties.push(property);
}

function toExpected(
  { option, level }: OptionTarget,
  property: string,
  value: unknown,
  result: { readonly tokens: readonly string[]; readonly parsed?: unknown },
): ExpectedOption {
  const attribute = option.attributeName();
  if (result.tokens.length === 0) return { level, property, attribute, isGiven: false, parsed: value };
  if (!('parsed' in result)) return { level, property, attribute, isGiven: true };
  return { level, property, attribute, isGiven: true, parsed: result.parsed };
}

/**
 * Rule 7: an open token at the end of a level would swallow the name of the subcommand. Where the level goes on
 * reading its options behind that name, it stands there, before the last command's own options.
 */
function joinLevels(
  model: CommandModel,
  levels: readonly LevelTokens[],
  problems: Problem[],
): readonly string[] {
  const last = model.path.length - 1;
  const moved: string[] = [];
  return levels.flatMap(({ open, closed, openProperties }, level) => {
    const command = model.path[level];
    const name = level === 0 || !command ? [] : [command.name()];
    if (level === last) return [...name, ...moved, ...open, ...closed];
    if (open.length === 0 || closed.length > 0) return [...name, ...open, ...closed];
    if (isPositional(command)) problems.push(...openProperties.map(cannotStandLast));
    else moved.push(...open);
    return name;
  });
}

function cannotStandLast(property: string): Problem {
  const message =
    `"${property}" cannot be sent that way: on the command line it would take the name of the subcommand for its ` +
    'value. Send another value.';
  return { property, message };
}

/** Rule 10: no gaps, no empty list over a default, no name of a subcommand in the first place. */
function toPositionals(
  model: CommandModel,
  values: ReadonlyMap<string, unknown>,
  wrong: ReadonlySet<string | undefined>,
  problems: Problem[],
): { readonly texts: readonly string[]; readonly shown: readonly string[] } {
  const positionals: string[] = [];
  const shownPositionals: string[] = [];
  let missing: string | undefined;
  for (const parameter of model.parameters) {
    const { property, target } = parameter;
    if (!isPositionalTarget(target) || wrong.has(property)) continue;
    const value = values.get(property);
    const texts = value === undefined ? [] : toTexts(parameter, value);
    if (
      value !== undefined &&
      (!texts || (texts.length === 0 && target.kind === 'argument' && mustHaveElements(target.argument)))
    ) {
      const way = texts ? ' Send one element at least, or leave it out.' : '';
      problems.push({
        property,
        message: `"${property}" cannot be ${shown(parameter, value)} on the command line.${way}`,
      });
    } else if (!texts || texts.length === 0) {
      missing ??= property;
    } else if (missing !== undefined) {
      const message = `"${property}" needs "${missing}": positional arguments are filled in order.`;
      problems.push({ property, message });
    }
    for (const text of texts ?? []) {
      positionals.push(text);
      shownPositionals.push(parameter.secret ? MASK : text);
    }
  }
  checkFirst(model, positionals[0], problems);
  return { texts: positionals, shown: shownPositionals };
}

function isPositionalTarget({ kind }: Parameter['target']): boolean {
  return kind === 'argument' || kind === 'excess';
}

const NO_PARSER = {} as ArgumentNode;

function toTexts({ target, shape }: Parameter, value: unknown): readonly string[] | undefined {
  const node = target.kind === 'argument' ? target.argument : NO_PARSER;
  const elements: readonly unknown[] = shape.kind === 'list' && Array.isArray(value) ? value : [value];
  const texts = elements.map((element) => toText(element, node, shape.type));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function shown({ secret }: Parameter, value: unknown): string {
  return secret ? 'that value' : show(value);
}

/** commander runs a subcommand that the first positional names, also behind `--`. */
function checkFirst(
  { command, parameters }: CommandModel,
  first: string | undefined,
  problems: Problem[],
): void {
  if (first === undefined || command.commands.length === 0) return;
  const isName =
    first === 'help' ||
    first === command._helpCommand?.name() ||
    command.commands.some((child) => child.name() === first || child.aliases().includes(first));
  if (!isName) return;
  const property = parameters.find(({ target }) => isPositionalTarget(target))?.property;
  const message = `"${property}" cannot be the name of a subcommand, which the program would run instead.`;
  problems.push({ property, message });
}
