import type { CommandNode, OptionNode } from '../schema/command-node.js';
import type { OptionTarget, Parameter } from '../schema/command-model.js';
import { canAttach, isGreedy, reachableFlag } from '../schema/reachable-flag.js';
import { mustHaveElements } from '../schema/value-schema.js';
import { customParser, numberParser } from '../schema/value-shape.js';
import { show } from './describe-problem.js';
import { MASK } from './shown-argv.js';
import { toText } from './value-text.js';

export interface OptionTokens {
  /** Empty: the value is what commander has without any token. */
  readonly tokens: readonly string[];
  /** The same without the values of a secret. */
  readonly shown: readonly string[];
  /** The last token would swallow a plain one behind it (rule 7). */
  readonly open: boolean;
  /** What commander must have read; absent where a parser of the author's makes something else of it. */
  readonly parsed?: unknown;
}

const NOTHING: OptionTokens = { tokens: [], shown: [], open: false };

/** More repetitions of a counter than any program means. */
const HIGHEST_COUNT = 1_000;

/**
 * The tokens of one option's value (argv.md, rules 2 to 9).
 *
 * @param path program first
 * @returns a sentence where no argv can say the value
 */
export function optionTokens(
  parameter: Parameter,
  target: OptionTarget,
  value: unknown,
  path: readonly CommandNode[],
): OptionTokens | string {
  const context: Context = { parameter, target, path, value };
  switch (parameter.shape.kind) {
    case 'flag':
      return typeof value === 'boolean' ? flagTokens(context, value) : cannotBe(context);
    case 'counter':
      return counterTokens(context);
    case 'list':
      return listTokens(context, Array.isArray(value) ? (value as unknown[]) : [value]);
    case 'optional':
      if (value === true) return bareTokens(context, target.option, true);
      return value === false ? switchedOff(context) : valueTokens(context, [value]);
    case 'single':
      // A text option's own boolean type has `true` and `false` as texts.
      if (typeof value !== 'boolean' || parameter.shape.type === 'boolean') {
        return valueTokens(context, [value]);
      }
      return value || !target.negation ? cannotBe(context) : switchedOff(context);
  }
}

interface Context {
  readonly parameter: Parameter;
  readonly target: OptionTarget;
  readonly path: readonly CommandNode[];
  readonly value: unknown;
}

function flagTokens(context: Context, value: boolean): OptionTokens | string {
  const { option } = context.target;
  if (!option.negate) return value ? bareTokens(context, option, false) : switchedOff(context);
  if (!value) return bareTokens(context, option, false);
  const isOn = (option.defaultValue ?? true) === true && !isInEnvironment(option);
  return isOn ? NOTHING : cannotBe(context);
}

/** Rule 5: `--no-x` where there is one that arrives, else no token where nothing switches the option on. */
function switchedOff(context: Context): OptionTokens | string {
  const { option, negation } = context.target;
  const tokens = negation && bareTokens(context, negation, false);
  if (tokens !== undefined && typeof tokens !== 'string') return tokens;
  const defaultValue = effectiveDefault(context);
  const isOff = (defaultValue ?? false) === false && !isInEnvironment(option);
  return isOff ? NOTHING : cannotBe(context);
}

/** The flag without a value. */
function bareTokens(context: Context, option: OptionNode, open: boolean): OptionTokens | string {
  const flag = reachableFlag(option, context.path, context.target.level, false);
  if (flag === undefined) return cannotBe(context);
  const parsed: unknown = option.presetArg ?? !option.negate;
  return withParsed({ tokens: [flag], shown: [flag], open }, option, parsed);
}

function counterTokens(context: Context): OptionTokens | string {
  const { value } = context;
  const { option, level } = context.target;
  if (!Number.isInteger(value) || Number(value) < 0) return cannotBe(context);
  if (value === 0) return option.defaultValue || isInEnvironment(option) ? cannotBe(context) : NOTHING;
  const flag = reachableFlag(option, context.path, level, false);
  if (flag === undefined || Number(value) > HIGHEST_COUNT) return cannotBe(context);
  const tokens = Array.from({ length: Number(value) }, () => flag);
  return { tokens, shown: tokens, open: false };
}

function listTokens(context: Context, values: readonly unknown[]): OptionTokens | string {
  if (values.length > 0) return valueTokens(context, values);
  const { option } = context.target;
  const isEmpty = !mustHaveElements(option) && effectiveDefault(context) !== true;
  if (isEmpty && !isInEnvironment(option)) return NOTHING;
  const none = isNoneIfEmpty(option) ? valueTokens(context, ['']) : cannotBe(context);
  return typeof none === 'string' ? cannotBe(context) : { ...none, parsed: [] };
}

/** Whether the option's parser makes an empty list of the empty text, as those do that split one text. */
function isNoneIfEmpty(option: OptionNode): boolean {
  const parser = customParser(option);
  if (!parser || option.variadic) return false;
  try {
    const { defaultValue } = option;
    // A parser that collects changes what it is given.
    const read = parser('', Array.isArray(defaultValue) ? [...(defaultValue as unknown[])] : defaultValue);
    return Array.isArray(read) && read.length === 0;
  } catch {
    return false;
  }
}

/** Rules 2 to 4: one token `--flag=value` where there is a long flag; the flag again for each element. */
function valueTokens(context: Context, values: readonly unknown[]): OptionTokens | string {
  const { target, path, parameter } = context;
  const { option, level } = target;
  const flag = reachableFlag(option, path, level, true);
  if (flag === undefined) return cannotBe(context);
  const tokens: string[] = [];
  const shown: string[] = [];
  const texts: string[] = [];
  let open = false;
  for (const value of values) {
    const text = toText(value, option, parameter.shape.type);
    if (text === undefined) return cannotBe(context);
    texts.push(text);
    const attached = attachedToken(flag, option, path[level], text);
    if (attached === undefined && !canStandAlone(text, target, path)) return cannotBe(context, text);
    tokens.push(...(attached === undefined ? [flag, text] : [attached]));
    if (parameter.secret) {
      const masked = attached && attachedToken(flag, option, path[level], MASK);
      shown.push(...(masked === undefined ? [flag, MASK] : [masked]));
    }
    // A variadic option that was opened by a token of its own takes all plain tokens behind it.
    open ||= attached === undefined && option.variadic;
  }
  const parsed = parameter.shape.kind === 'list' ? texts : texts[0];
  const result = { tokens, shown: parameter.secret ? shown : tokens, open };
  const read = numberParser(option);
  return read ? { ...result, parsed: read(texts.at(-1) ?? '') } : withParsed(result, option, parsed);
}

/** Flag and value in one token; undefined where this option needs two. */
function attachedToken(
  flag: string,
  option: OptionNode,
  command: CommandNode | undefined,
  text: string,
): string | undefined {
  if (canAttach(flag)) return `${flag}=${text}`;
  const isShort = flag.length === 2;
  const combines = option.required || command?._combineFlagAndOptionalValue !== false;
  return isShort && combines && text !== '' ? `${flag}${text}` : undefined;
}

/** A value in a token of its own must not be taken for a flag: by its own command, or by a greedy one above. */
function canStandAlone(text: string, { option, level }: OptionTarget, path: readonly CommandNode[]): boolean {
  const looksLikeFlag = text.length > 1 && text.startsWith('-');
  return !looksLikeFlag || (!option.optional && (level === 0 || !isGreedy(path, level - 1)));
}

function withParsed(tokens: OptionTokens, option: OptionNode, parsed: unknown): OptionTokens {
  return customParser(option) ? tokens : { ...tokens, parsed };
}

/** A `--no-x` that is declared before its `--x` makes the default true (commander 12 to 14). */
function effectiveDefault({ target, path }: Context): unknown {
  const { option, negation, level } = target;
  if (option.defaultValue !== undefined || !negation) return option.defaultValue;
  const declared = path[level]?.options ?? [];
  return declared.indexOf(negation) < declared.indexOf(option) ? true : undefined;
}

function isInEnvironment({ envVar }: OptionNode): boolean {
  return envVar !== undefined && process.env[envVar] !== undefined;
}

/** @param element the one of several values that is in the way */
function cannotBe({ parameter, target, value }: Context, element: unknown = value): string {
  const { option } = target;
  const isLeftOut = value === false || value === 0 || (Array.isArray(value) && value.length === 0);
  const reason =
    isLeftOut && isInEnvironment(option)
      ? `the environment variable ${option.envVar} sets it`
      : `the command line has no way to say that (${option.flags})`;
  const way =
    Array.isArray(value) && value.length === 0 ? ' Send one element at least, or leave it out.' : '';
  return `"${parameter.property}" cannot be ${parameter.secret ? 'that value' : show(element)}: ${reason}.${way}`;
}
