import type { ArgumentNode, OptionNode } from './command-node.js';
import type { ValueShape } from './command-model.js';
import type { ParameterDescription, ValueType } from './parameter-description.js';

/** What values an option takes: decided by commander's declaration, its parser and default (B3.2). */
export function shapeOfOption(
  option: OptionNode,
  negation: OptionNode | undefined,
  described: ParameterDescription | undefined,
): ValueShape {
  const parser = customParser(option);
  if (!option.required && !option.optional) {
    const counts = parser && !option.negate && !negation && typeOfDescription(described) !== 'boolean';
    return counts ? { kind: 'counter', type: 'integer' } : { kind: 'flag', type: 'boolean' };
  }
  const type = typeOfDescription(described) ?? typeOfValue(parser, option.defaultValue);
  const collects = parser && (Array.isArray(option.defaultValue) || described?.schema?.['type'] === 'array');
  if ((option.variadic || collects) && !numberParser(option)) return { kind: 'list', type };
  return { kind: option.optional ? 'optional' : 'single', type };
}

export function shapeOfArgument(
  argument: ArgumentNode,
  described: ParameterDescription | undefined,
): ValueShape {
  const type = typeOfDescription(described) ?? typeOfValue(customParser(argument), argument.defaultValue);
  return { kind: argument.variadic && !numberParser(argument) ? 'list' : 'single', type };
}

type Parser = (value: string, previous: unknown) => unknown;

/**
 * The author's own parser. `.choices()` installs one of commander's, which changes no value; it is known by what it
 * reads, since a `.argParser()` after `.choices()` replaces it.
 */
export function customParser(node: OptionNode | ArgumentNode): Parser | undefined {
  const parser = node.parseArg;
  if (!parser) return undefined;
  const isOfChoices = node.argChoices && Function.prototype.toString.call(parser).includes('argChoices');
  return isOfChoices ? undefined : parser;
}

/**
 * The author's parser, where it is one that reads numbers and nothing else, so that it collects nothing: of several
 * values the command gets the last. It is called without the value before.
 */
export function numberParser(node: OptionNode | ArgumentNode): ((text: string) => unknown) | undefined {
  const parser = customParser(node);
  return parser && typeOfParser(parser) ? (text) => parser(text, undefined) : undefined;
}

/** `parseInt` itself is handed the default as its radix: whether it reads other numbers than were sent. */
export function takesDefaultForRadix(node: OptionNode | ArgumentNode): boolean {
  const { defaultValue } = node;
  if (customParser(node) !== Number.parseInt || typeof defaultValue === 'symbol') return false;
  return Number.parseInt('10', Number(defaultValue)) !== 10;
}

function typeOfDescription(described: ParameterDescription | undefined): ValueType | undefined {
  if (!described || described.type) return described?.type;
  const schema = described.schema as { type?: unknown; items?: { type?: unknown } } | undefined;
  const type = schema?.type === 'array' ? schema.items?.type : schema?.type;
  return type === 'number' || type === 'integer' || type === 'boolean' ? type : undefined;
}

function typeOfValue(parser: Parser | undefined, defaultValue: unknown): ValueType {
  const known = parser && typeOfParser(parser);
  if (known) return known;
  const sample: unknown = Array.isArray(defaultValue) ? defaultValue[0] : defaultValue;
  if (typeof sample === 'number') return 'number';
  return typeof sample === 'boolean' && parser ? 'boolean' : 'string';
}

const KNOWN_PARSERS = new Map<unknown, ValueType>([
  [Number.parseInt, 'integer'],
  [Number.parseFloat, 'number'],
  [Number, 'number'],
]);

/** `(text) => parseInt(text, 10)` and the like: these parsers as most people write them. */
const WRAPPED =
  /^(?:\(\s*(\w+)\s*\)|(\w+))\s*=>\s*(?:Number\.)?(parseInt|parseFloat|Number)\(\s*(\w+)\s*(?:,\s*10\s*)?\)$/;

const readParsers = new WeakMap<Parser, ValueType | 'unknown'>();

function typeOfParser(parser: Parser): ValueType | undefined {
  let type = readParsers.get(parser);
  // One parser often serves many options.
  if (type === undefined) readParsers.set(parser, (type = readParser(parser) ?? 'unknown'));
  return type === 'unknown' ? undefined : type;
}

function readParser(parser: Parser): ValueType | undefined {
  const known = KNOWN_PARSERS.get(parser);
  if (known) return known;
  const match = WRAPPED.exec(Function.prototype.toString.call(parser));
  if (!match || (match[1] ?? match[2]) !== match[4]) return undefined;
  return match[3] === 'parseInt' ? 'integer' : 'number';
}
