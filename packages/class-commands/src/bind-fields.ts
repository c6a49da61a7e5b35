import {
  describeArgument,
  describeOption,
  type JsonSchemaLike,
  type OptionDescription,
} from '@mcpify/markers';
import type { Command, Option } from 'commander';

import {
  readClass,
  type ArgumentDeclaration,
  type Declaration,
  type OptionDeclaration,
} from './declaration.js';
import { checkField } from './check-settings.js';
import type { AnyClass, OptionSettings } from './settings.js';
import {
  checkingChoices,
  describedType,
  keepingNull,
  toListParser,
  toShownDefault,
  toValueReader,
  type DeclaredField,
  type TypedField,
  type ValueReader,
} from './value-reader.js';

/** A field, and where a call finds its value. */
export type BoundField =
  | { readonly kind: 'option'; readonly name: string; readonly attribute: string }
  | { readonly kind: 'argument'; readonly name: string; readonly index: number }
  | BoundSet;

export interface BoundSet {
  readonly kind: 'options';
  readonly name: string;
  readonly set: AnyClass;
  readonly fields: readonly BoundField[];
  /** The command that the options were given to: the own one, or a parent. */
  readonly command: Command;
}

/** The fields of a command that is built from a class. */
export const boundFields = new WeakMap<Command, readonly BoundField[]>();

/** Finds the parent command that is built from a class. */
export type FindParent = (commandClass: AnyClass) => Command | undefined;

/**
 * Declares the fields of a class, and of the option sets in it, on its command.
 *
 * @throws TypeError where a field is declared wrongly, or two of them have one name on the command line
 */
export function bindFields(command: Command, commandClass: AnyClass, findParent: FindParent): void {
  const { fields, sample } = readClass(commandClass);
  const context = { command, findParent, labels: new Map<string, string>(), path: [commandClass] };
  boundFields.set(command, bindAll(context, fields, sample));
}

interface Context {
  readonly command: Command;
  readonly findParent: FindParent;
  /** The fields that are declared so far, by the name that commander has for them. */
  readonly labels: Map<string, string>;
  /** The class of the command, and the sets down to the one that is read. */
  readonly path: readonly AnyClass[];
}

type Values = Readonly<Record<string, unknown>>;

function bindAll(
  context: Context,
  fields: ReadonlyMap<string, Declaration>,
  initial: Values,
): readonly BoundField[] {
  return [...fields].map(([name, declaration]) => bind(context, name, declaration, initial[name]));
}

function bind(context: Context, name: string, declaration: Declaration, initial: unknown): BoundField {
  const { command, path } = context;
  const owner = path.at(-1) as AnyClass;
  const label = `${owner.name}.${name}`;
  const field = { prototype: owner.prototype as object, name, label, initial };
  if (declaration.kind !== 'options') checkField(declaration, label);
  switch (declaration.kind) {
    case 'option': {
      const attribute = command.createOption(declaration.flags).attributeName();
      refuseTwice(context, attribute, label);
      addOption(command, declaration, field);
      return { kind: 'option', name, attribute };
    }
    case 'argument':
      if (path.length > 1) throw new TypeError(`${label} is an argument: an option set holds options only.`);
      addArgument(command, declaration, field);
      return { kind: 'argument', name, index: command.registeredArguments.length - 1 };
    case 'options':
      return bindSet(context, name, declaration.set, initial);
  }
}

function bindSet(context: Context, name: string, set: AnyClass, initial: unknown): BoundSet {
  const parent = context.findParent(set);
  if (parent) {
    // Declared there. commander reads no arguments of it on the way to a subcommand.
    return { kind: 'options', name, set, fields: boundFields.get(parent) ?? [], command: parent };
  }
  if (context.path.includes(set)) throw new TypeError(`Option set ${set.name} holds itself, in ${name}.`);
  const { fields, sample } = readClass(set);
  const values = (initial ?? sample) as Values;
  const within = { ...context, path: [...context.path, set] };
  return { kind: 'options', name, set, fields: bindAll(within, fields, values), command: context.command };
}

function refuseTwice({ command, labels }: Context, attribute: string, label: string): void {
  const other = labels.get(attribute);
  if (other !== undefined) {
    throw new TypeError(
      `${other} and ${label} are both the option "${attribute}" of command "${command.name()}". Rename one.`,
    );
  }
  labels.set(attribute, label);
}

/**
 * Adds the option of a field to a command.
 *
 * @throws TypeError where the declaration contradicts itself or the initial value
 */
function addOption(
  command: Command,
  { flags, description, settings }: OptionDeclaration,
  declared: DeclaredField,
): void {
  const option = command.createOption(flags, description);
  const isList = option.variadic || settings.separator !== undefined;
  const field = { ...declared, written: `CliOption('${flags}'`, isList };
  const reader = option.required || option.optional ? toValueReader(settings, field) : undefined;
  if (reader) readValues(option, reader, settings);
  else checkFlag(option, settings, field);
  if (settings.negatable) checkNegatable(option, field);
  if (settings.separator !== undefined && settings.separator.length !== 1) {
    throw new TypeError(`${field.label}: the separator must be one character, not "${settings.separator}".`);
  }

  const shown = toShownDefault(declared.initial, reader?.choices, settings.defaultText);
  if (shown && settings.secret !== true) option.default(shown.value, shown.text);
  if (settings.required) option.makeOptionMandatory();
  if (settings.env !== undefined) option.env(settings.env);
  if (settings.conflicts !== undefined) option.conflicts(settings.conflicts);
  if (settings.hidden) option.hideHelp();
  settings.configure?.(option);

  describeOption(option, toDescription(option, reader, settings));
  command.addOption(option);
  if (settings.negatable) {
    command.addOption(command.createOption(`--no-${option.name()}`).hideHelp(option.hidden));
  }
}

function readValues(option: Option, reader: ValueReader, settings: OptionSettings): void {
  if (reader.choices) option.choices(reader.choices.texts);
  const isList = settings.separator !== undefined || option.variadic;
  // Plain texts and choices need no parser but commander's own.
  if (settings.separator === undefined && !reader.parse) return;
  const parse = checkingChoices(reader);
  option.argParser(isList ? toListParser(parse, settings.separator) : keepingNull(parse));
}

/** A flag can only change what it is not. */
function checkFlag(
  option: Option,
  { negatable }: OptionSettings,
  { initial, label, written }: TypedField,
): void {
  if (initial !== undefined && typeof initial !== 'boolean') {
    throw new TypeError(
      `${label} is no boolean, but ${written}) takes no value: write "${option.flags} <value>".`,
    );
  }
  if (negatable || initial === undefined || initial === option.negate) return;
  const way = option.negate ? `--${option.name().replace(/^no-/, '')}` : `--no-${option.name()}`;
  throw new TypeError(
    `${label} is ${initial} from the start, and ${written}) can only make it so: ` +
      `write "${way}", or { negatable: true } for both.`,
  );
}

function checkNegatable(option: Option, { label }: TypedField): void {
  if (option.required || option.optional || option.negate || !option.long) {
    throw new TypeError(
      `${label}: { negatable: true } is for a flag with a long name and no value, not for "${option.flags}".`,
    );
  }
}

/** What commander's declaration does not tell of the values. */
function toDescription(
  option: Option,
  reader: ValueReader | undefined,
  settings: OptionSettings,
): OptionDescription {
  const { secret, cache, exclude, debug, separator } = settings;
  const schema =
    settings.schema ??
    (reader && separator !== undefined ? listSchema(option, reader, separator) : undefined);
  return {
    ...(reader && describedType(reader)),
    ...(schema && { schema }),
    ...(secret !== undefined && { secret }),
    ...(cache !== undefined && { cache }),
    ...(exclude !== undefined && { exclude }),
    ...(debug !== undefined && { debug }),
  };
}

/** commander does not know that it is a list. An element that is empty, or holds the separator, cannot be said. */
function listSchema(
  { defaultValue }: Option,
  { type, choices }: ValueReader,
  separator: string,
): JsonSchemaLike {
  const isText = type === undefined || !SELF_DELIMITED.has(type);
  const items = choices
    ? { type: 'string', enum: choices.texts }
    : { type: isText ? 'string' : type, ...(isText && { pattern: withoutCharacter(separator) }) };
  return { type: 'array', items, ...(defaultValue !== undefined && { default: defaultValue as unknown }) };
}

const SELF_DELIMITED: ReadonlySet<string> = new Set(['number', 'integer', 'boolean']);

function withoutCharacter(separator: string): string {
  return `^[^${separator.replace(/[\\^\]]/, '\\$&')}]+$`;
}

/**
 * Adds the argument of a field to a command.
 *
 * @throws TypeError where a required argument has a value from the start
 */
function addArgument(
  command: Command,
  { name, description, settings }: ArgumentDeclaration,
  declared: DeclaredField,
): void {
  const argument = command.createArgument(name, description);
  const field = { ...declared, written: `CliArgument('${name}'`, isList: argument.variadic };
  const reader = toValueReader(settings, field);
  if (reader.choices) argument.choices(reader.choices.texts);
  if (reader.parse) {
    const parse = checkingChoices(reader);
    argument.argParser(argument.variadic ? toListParser(parse) : parse);
  }
  const shown = toShownDefault(field.initial, reader.choices, settings.defaultText);
  if (shown && argument.required) {
    throw new TypeError(
      `${field.label} has an initial value, which ${field.written}) never leaves in place: write "[${argument.name()}]".`,
    );
  }
  if (shown) argument.default(shown.value, shown.text);
  settings.configure?.(argument);
  const { schema } = settings;
  describeArgument(argument, { ...describedType(reader), ...(schema && { schema }) });
  command.addArgument(argument);
}
