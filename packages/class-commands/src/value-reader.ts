import type { ValueType } from '@mcpify/markers';

import { areTypesLost, designType } from './design-type.js';
import type { Choices } from './field-types.js';
import type { OptionSettings } from './settings.js';

/** How the texts of one option or argument become values. */
export interface ValueReader {
  /** Undefined where a parser of the author's decides. */
  readonly type: ValueType | undefined;
  readonly choices: ChoiceList | undefined;
  /** Undefined where the text is the value. */
  readonly parse: ValueParser | undefined;
}

/** What says how a value is read. */
export type ReadSettings = Pick<OptionSettings, 'type' | 'choices' | 'parse'>;

/** @throws TypeError where nothing says the type */
export function toValueReader(settings: ReadSettings, field: TypedField): ValueReader {
  const { type, choices: allowed, parse } = settings;
  const choices = allowed && readChoices(allowed);
  if (parse) return { type, choices, parse: asRefusing(parse) };
  if (choices) return { type, choices, parse: choices.parse };
  const valueType = type ?? inferType(field);
  return { type: valueType, choices, parse: parserOf(valueType) };
}

/** For where a parser takes the place of the one that `.choices()` gave to commander. */
export function checkingChoices({ choices, parse }: ValueReader): ValueParser {
  return (text) => {
    if (choices && !choices.texts.includes(text)) {
      // In commander's words.
      throw refusal(`Allowed choices are ${choices.texts.join(', ')}.`);
    }
    return parse ? parse(text) : text;
  };
}

/** What tools are to be told of the type: commander's declaration says only that a parser reads the text. */
export function describedType({ type, choices, parse }: ValueReader): { readonly type?: ValueType } {
  const described = type ?? (choices && parse ? 'string' : undefined);
  return described === undefined || (described === 'string' && !parse) ? {} : { type: described };
}

/** An initial value that commander is told of, with the text that the help shows in place of JSON. */
export interface ShownDefault {
  readonly value: unknown;
  readonly text: string | undefined;
}

/** Undefined for what says nothing (`false`, an empty list), and for what JSON cannot say (dates). */
export function toShownDefault(
  initial: unknown,
  choices: ChoiceList | undefined,
  defaultText: string | undefined,
): ShownDefault | undefined {
  if (initial === undefined) return undefined;
  if (defaultText !== undefined) return { value: initial, text: defaultText };
  const elements: readonly unknown[] = Array.isArray(initial) ? initial : [initial];
  if (initial === false || elements.length === 0 || !elements.every(isScalar)) return undefined;
  // commander's copy: each call has a list of its own.
  const value = Array.isArray(initial) ? [...elements] : initial;
  const texts = elements.map((element) => choices?.textOf(element) ?? String(element));
  const isAsTyped = elements.every((element, index) => String(element) === texts[index]);
  if (isAsTyped) return { value, text: undefined };
  return { value, text: JSON.stringify(Array.isArray(initial) ? texts : texts[0]) };
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

export interface ChoiceList {
  /** As they are typed. */
  readonly texts: readonly string[];
  /** Undefined where the texts are the values. */
  readonly parse: ValueParser | undefined;
  textOf(value: unknown): string | undefined;
}

/** The texts and values of `choices`. TypeScript's enums of numbers hold their members in both directions. */
function readChoices(choices: Choices): ChoiceList {
  if (isList(choices)) return { texts: choices, parse: undefined, textOf: String };
  const values = new Map(
    Object.entries(choices)
      .filter(([name, value]) => !isReverse(choices, name, value))
      .map(([name, value]) => [typeof value === 'string' ? value : name, value]),
  );
  const texts = [...values.keys()];
  const isPlain = texts.every((text) => values.get(text) === text);
  return {
    texts,
    parse: isPlain ? undefined : (text) => values.get(text),
    textOf: (value) => texts.find((text) => values.get(text) === value),
  };
}

function isList(choices: Choices): choices is readonly string[] {
  return Array.isArray(choices);
}

function isReverse(
  choices: Readonly<Record<string, string | number>>,
  name: string,
  value: unknown,
): boolean {
  return /^-?\d/.test(name) && typeof value === 'string' && choices[value] === Number(name);
}

/** Reads one text. @throws Error that commander tells the user of */
export type ValueParser = (text: string) => unknown;

/** The parser of a type; undefined for texts, which are taken as they are. */
function parserOf(type: ValueType): ValueParser | undefined {
  return PARSERS[type];
}

/** A parser of the author's: whatever it throws refuses the value. */
function asRefusing(parse: ValueParser): ValueParser {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw refusal(error instanceof Error ? error.message : String(error), error);
    }
  };
}

/**
 * A parser for commander of an option or argument that is repeated.
 *
 * @param separator parts the elements of one text; the empty text then has none
 */
export function toListParser(parse: ValueParser | undefined, separator?: string) {
  return (text: string, previous: unknown): unknown => {
    const texts = separator === undefined ? [text] : text === '' ? [] : text.split(separator);
    const values = texts.map((each) => (parse ? parse(each) : each));
    // The first value takes the place of the default, and each parse makes lists of its own.
    const list =
      Array.isArray(previous) && lists.has(previous) ? [...(previous as unknown[]), ...values] : values;
    lists.add(list);
    return list;
  };
}

const lists = new WeakSet<object>();

/** Stands for null on the way through commander, which takes a null for an option without a value. */
export const NULL = Object.freeze({ toJSON: () => null });

/** A parser for commander of an option whose value may be null, as JSON text can be. */
export function keepingNull(parse: ValueParser): ValueParser {
  return (text) => {
    const value = parse(text);
    return value === null ? NULL : value;
  };
}

/** commander knows an `InvalidArgumentError` of any of its copies by this code. */
function refusal(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: 'commander.invalidArgument', exitCode: 1 });
}

const PARSERS: Readonly<Record<ValueType, ValueParser | undefined>> = {
  string: undefined,
  path: undefined,
  number: (text) => {
    if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) throw refusal('It must be a number.');
    return Number(text);
  },
  integer: (text) => {
    const value = Number(text);
    if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value)) throw refusal('It must be an integer.');
    return value;
  },
  boolean: (text) => {
    if (text !== 'true' && text !== 'false') throw refusal('It must be true or false.');
    return text === 'true';
  },
  date: (text) => {
    if (!isDate(text)) throw refusal('It must be an ISO 8601 date, such as 2026-01-31 or 2026-01-31T08:30Z.');
    return new Date(text);
  },
  json: (text) => {
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      throw refusal(`It must be JSON: ${(error as Error).message}.`, error);
    }
  },
};

const DATE = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

function isDate(text: string): boolean {
  const day = DATE.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  const date = new Date(day);
  // `Date` takes the 30th of February for a day of March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** A field that is declared. */
export interface DeclaredField {
  /** Prototype of its class. */
  readonly prototype: object;
  readonly name: string;
  /** `Serve.port`, for messages. */
  readonly label: string;
  readonly initial: unknown;
}

/** A field whose type is asked for. */
export interface TypedField extends DeclaredField {
  /** `CliOption('--port <number>'`, for messages. */
  readonly written: string;
  readonly isList: boolean;
}

/**
 * The type of a field that says none: what the compiler emitted, else that of the initial value.
 *
 * @throws TypeError with the line to add, where neither is known
 */
function inferType(field: TypedField): ValueType {
  const design = designType(field.prototype, field.name);
  if (field.isList) throw untyped(field, 'no compiler tells of what type the elements of a list are');
  if (design === 'list') throw isNoList(field);
  if (design !== undefined && design !== 'other') return design;
  const type = typeOfValue(field.initial);
  if (type) return type;
  throw untyped(field, design === 'other' ? NO_SINGLE_TYPE : areTypesLost() ? NOT_LOADED : NOT_EMITTED);
}

const NO_SINGLE_TYPE =
  'the compiler tells no single type (it is a union, an enum, a class, or has no annotation)';
const NOT_EMITTED =
  'the compiler emits no types of fields (tsc and swc do, with legacy decorators: "experimentalDecorators" and ' +
  '"emitDecoratorMetadata" in tsconfig.json, "legacyDecorator" and "decoratorMetadata" in .swcrc; esbuild, tsx and ' +
  'standard decorators never do)';
const NOT_LOADED =
  'reflect-metadata, which keeps the types of fields, is not in this bundle (write "import \'reflect-metadata\'" ' +
  'before all else, where the compiler emits them)';

function typeOfValue(value: unknown): ValueType | undefined {
  if (value instanceof Date) return 'date';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : undefined;
}

function untyped({ label, written }: TypedField, reason: string): TypeError {
  return new TypeError(
    `The type of ${label} is unknown: ${reason}. ` +
      `Say it: ${written}, '…', { type: 'string' }), or 'number', 'integer', 'boolean', 'date', 'json', 'path'; ` +
      'or { choices } or { parse }.',
  );
}

function isNoList({ label, written }: TypedField): TypeError {
  return new TypeError(
    `${label} is an array, but ${written}) takes one value. Write "<value...>", or { separator: ',' }, and { type }.`,
  );
}
