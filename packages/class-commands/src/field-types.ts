import type { ValueType } from '@mcpify/markers';

/**
 * What an option or argument is: a decorator of a field, in either dialect, or an entry of `defineFields`. The
 * compiler checks that the field takes the values that the declaration gives.
 */
export interface FieldDecorator<Value> extends Gives<Value> {
  <This extends object, Field>(
    target: undefined,
    context: ClassFieldDecoratorContext<This, Field> & Fit<Value, Field>,
  ): (this: This, initial: Field) => Field;
  <Target extends object, Name extends keyof Target>(
    target: Target,
    name: Name & Fit<Value, Target[Name]>,
  ): void;
}

/** The values that a declaration gives to its field. */
export interface Gives<Value> {
  readonly [VALUE]?: Value;
}
declare const VALUE: unique symbol;

/** The declaration takes a value and says nothing of its type: the field does. */
export interface AsField {
  readonly [AS_FIELD]: true;
}
declare const AS_FIELD: unique symbol;

/** The declarations that a field can have. */
export type FieldEntry<Field> =
  Gives<Field> | (IsPlain<Exclude<Field, undefined>> extends true ? Gives<AsField> : never);

/** The texts that an option takes, or an enum: string members by their value, others by their name. */
export type Choices = readonly string[] | Readonly<Record<string, string | number>>;

/** What `[none]` of the three says is `AsField`. */
export type ElementOf<Type extends ValueType, Allowed extends Choices, Parsed> = [Parsed] extends [never]
  ? [Allowed] extends [never]
    ? [Type] extends [never]
      ? AsField
      : ValueTypes[Type]
    : MemberOf<Allowed>
  : Parsed;

/** The value that flags like `--tags <tag...>` give, with elements of that type. */
export type OptionValue<Flags extends string, Element, Separator> =
  KindOf<Flags> extends 'flag'
    ? boolean
    : KindOf<Flags> extends 'list'
      ? ListOf<Element>
      : [Separator] extends [never]
        ? KindOf<Flags> extends 'optional'
          ? OptionalOf<Element>
          : Element
        : ListOf<Element>;

/** The value that an argument like `<file>` or `[files...]` gives. */
export type ArgumentValue<Name extends string, Element> = Name extends `${string}...${string}`
  ? ListOf<Element>
  : Element;

interface ValueTypes {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  date: Date;
  // What JSON holds is for the field to say.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
  path: string;
}

type MemberOf<Allowed extends Choices> = Allowed extends readonly (infer Text)[]
  ? Text
  : Allowed[keyof Allowed];

type KindOf<Flags extends string> = string extends Flags
  ? 'any'
  : Flags extends `${string}...${string}`
    ? 'list'
    : Flags extends `${string}<${string}`
      ? 'single'
      : Flags extends `${string}[${string}`
        ? 'optional'
        : 'flag';

/** Metadata tells that a field is a list, never of what. */
type ListOf<Element> = IsAsField<Element> extends true ? Untold : Element[];

/** Without a value the flag gives `true`. */
type OptionalOf<Element> = IsAsField<Element> extends true ? Untold : Element | boolean;

/** JSON is `any`, which extends everything. */
type IsAsField<Element> = IsAny<Element> extends true ? false : [Element] extends [AsField] ? true : false;

interface Untold {
  readonly [UNTOLD]: true;
}
declare const UNTOLD: unique symbol;

type Fit<Value, Field> = [IsAny<Field>, IsAny<Value>] extends [false, false]
  ? [Value] extends [Untold]
    ? TypeNeeded
    : [Value] extends [AsField]
      ? IsPlain<Exclude<Field, undefined>> extends true
        ? unknown
        : TypeNeeded
      : [Value] extends [Field]
        ? unknown
        : WrongType<Value>
  : unknown;

type IsAny<Type> = 0 extends 1 & Type ? true : false;

/** One of the types that metadata or an initial value can tell; no union, no enum. */
type IsPlain<Field> = unknown extends Field
  ? true
  : [Field] extends [string]
    ? string extends Field
      ? true
      : false
    : [Field] extends [number]
      ? // A number is assignable to an enum of numbers; its text is not.
        `${number}` extends `${Field}`
        ? true
        : false
      : [Field] extends [boolean | Date]
        ? true
        : false;

/* The names of these members are what the compiler prints. */
interface TypeNeeded {
  readonly 'this field needs { type }, { choices } or { parse }': never;
}
interface WrongType<Value> {
  readonly 'the declaration gives values that this field does not take': Value;
}
