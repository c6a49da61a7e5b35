import type { ValueType } from '@mcpify/markers';

import { declarations, declareField, type Declaration } from './declaration.js';
import { keepDesignTypes } from './design-type.js';
import type {
  ArgumentValue,
  Choices,
  ElementOf,
  FieldDecorator,
  FieldEntry,
  OptionValue,
} from './field-types.js';
import type { AnyClass, ArgumentSettings, CommandSettings, OptionSettings } from './settings.js';

/** A class decorator in both dialects, and a plain call on a class. */
export interface CommandDecorator {
  <Target extends AnyClass>(target: Target, context: ClassDecoratorContext<Target>): void;
  (target: AnyClass): void;
}

/**
 * Makes a command of a class: `run(command)` is its action, its fields are options and arguments. Without `run` it is a
 * group. Marks of `@mcpify/markers` on the class are the command's.
 */
export function CliCommand(settings: CommandSettings): CommandDecorator {
  return (target: unknown, context?: unknown) => {
    const isClass = !isStandard(context) ? context === undefined : context.kind === 'class';
    if (typeof target !== 'function' || !isClass) throw new TypeError('@CliCommand goes on a class.');
    if (!isStandard(context)) return declare(target, settings);
    // `this` is the class as it is in the end, also where a decorator above replaces it.
    context.addInitializer(function (this: unknown) {
      declare(this as object, settings);
    });
  };
}

/**
 * A field that is an option: its initial value is the default.
 *
 * @param flags as commander takes them: `-p, --port <number>`, `--tags <tag...>`, `--force`, `--no-color`
 * @param description for the help
 */
export function CliOption<
  const Flags extends string,
  const Type extends ValueType = never,
  const Allowed extends Choices = never,
  Parsed = never,
  const Separator extends string = never,
>(
  flags: Flags,
  description = '',
  settings: OptionSettings<Type, Allowed, Parsed, Separator> = {},
): FieldDecorator<OptionValue<Flags, ElementOf<Type, Allowed, NoInfer<Parsed>>, Separator>> {
  if (/[<[]/.test(flags)) keepDesignTypes(settings);
  return toFieldDecorator({ kind: 'option', flags, description, settings });
}

/**
 * A field that is a positional argument. Arguments stand in the order of their fields, those of a base class first.
 *
 * @param name as commander takes it: `<file>`, `[file]`, `<files...>`, `[files...]`
 * @param description for the help
 */
export function CliArgument<
  const Name extends string,
  const Type extends ValueType = never,
  const Allowed extends Choices = never,
  Parsed = never,
>(
  name: Name,
  description = '',
  settings: ArgumentSettings<Type, Allowed, Parsed> = {},
): FieldDecorator<ArgumentValue<Name, ElementOf<Type, Allowed, NoInfer<Parsed>>>> {
  keepDesignTypes(settings);
  return toFieldDecorator({ kind: 'argument', name, description, settings });
}

/** An option set is made without arguments: it has no services. */
export type OptionSet<Options extends object> = new () => Options;

/**
 * A field that holds an option set: a class with option fields of its own, shared by many commands. Sets may hold sets.
 * The class of a parent command stands for that command: the field then holds the options that were given to it.
 *
 * @param set the class; a field without initial value gets a new instance of it for each call
 */
export function CliOptions<Options extends object>(set: OptionSet<Options>): FieldDecorator<Options> {
  return toFieldDecorator({ kind: 'options', set });
}

/** What the fields of an instance are on the command line. */
export type FieldEntries<Instance> = { readonly [Name in keyof Instance]?: FieldEntry<Instance[Name]> };

/**
 * Declares fields without decorators: `defineFields(Serve, { port: CliOption('--port <number>') })`.
 *
 * @param target a command class or an option set
 */
export function defineFields<Instance extends object>(
  target: abstract new (...services: never[]) => Instance,
  fields: FieldEntries<Instance>,
): void {
  const { prototype } = target as AnyClass & { prototype: object };
  for (const [name, decorate] of Object.entries(fields)) {
    (decorate as FieldDecorator<unknown> as (target: object, name: string) => void)(prototype, name);
  }
}

function declare(commandClass: object, settings: CommandSettings): void {
  declarations().commands.set(commandClass, settings);
}

/**
 * The decorator of a field, in both dialects: the second argument tells which. Legacy decorators get the prototype.
 * Standard ones see no class; they wrap the initialiser, which tells of the field when an instance is made to read
 * its class (`readClass`). That needs no `Symbol.metadata`, which Node does not have, and survives a decorator that
 * replaces the class.
 */
function toFieldDecorator<Value>(declaration: Declaration): FieldDecorator<Value> {
  return ((target: unknown, context: unknown, descriptor?: PropertyDescriptor) => {
    if (isStandard(context)) return collectWith(context, declaration);
    const isField = !descriptor?.value && !descriptor?.get && !descriptor?.set;
    if (!isPrototype(target) || typeof context !== 'string' || !isField) throw misplaced(declaration);
    declareField(declarations().fields, target, context, declaration);
    return undefined;
  }) as FieldDecorator<Value>;
}

function collectWith(context: DecoratorContext, declaration: Declaration) {
  const { name } = context;
  if (context.kind !== 'field' || context.static || context.private || typeof name !== 'string') {
    throw misplaced(declaration);
  }
  return function (this: object, initial: unknown): unknown {
    const { collected } = declarations();
    if (collected) declareField(collected, this, name, declaration);
    return initial;
  };
}

function isStandard(context: unknown): context is DecoratorContext {
  return typeof context === 'object' && context !== null && 'kind' in context && 'addInitializer' in context;
}

function isPrototype(target: unknown): target is object {
  return typeof target === 'object' && target !== null;
}

const DECORATORS = { option: '@CliOption', argument: '@CliArgument', options: '@CliOptions' } as const;

function misplaced({ kind }: Declaration): TypeError {
  return new TypeError(
    `${DECORATORS[kind]} goes on a public field of a class, not on a method, an accessor or a static or private member.`,
  );
}
