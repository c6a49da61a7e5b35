import type { OptionDescription, ValueType } from '@mcpify/markers';
import type { Argument, Command, Option } from 'commander';

import type { Choices } from './field-types.js';

/** A class of a command or of an option set. */
export type AnyClass = abstract new (...services: never[]) => object;

export interface CommandSettings {
  /** One word, as it is typed. */
  readonly name: string;
  /** For the help of the command. */
  readonly description?: string;
  /** For the parent's list of commands. @default the description */
  readonly summary?: string;
  readonly aliases?: readonly string[];
  /**
   * The command that this one belongs to: its class, or the path of its names, `infobase extensions`. Groups of a path
   * that are not declared are made.
   *
   * @default the program
   */
  readonly parent?: AnyClass | string;
  /**
   * Runs where the parent is given no subcommand.
   *
   * @default false
   */
  readonly isDefault?: boolean;
  /**
   * Left out of the help.
   *
   * @default false
   */
  readonly hidden?: boolean;
  /**
   * Whether its tool calls may overlap: each has an instance of its own. False where the command keeps state outside of
   * its instance.
   *
   * @default true, but for commands marked `McpIsolated`
   */
  readonly concurrent?: boolean;
  /** All else that commander knows: hooks, help texts, `allowUnknownOption`, ... */
  readonly configure?: (command: Command) => void;
}

/** What commander's flags and the field itself do not say. */
export interface OptionSettings<
  Type extends ValueType = ValueType,
  Allowed extends Choices = Choices,
  Parsed = unknown,
  Separator extends string = string,
> extends Pick<OptionDescription, 'secret' | 'cache' | 'exclude' | 'debug' | 'schema'> {
  /**
   * Type of the value, or of one element. `number`, `integer`, `boolean`, `date` (ISO 8601, to a `Date`) and `json` are
   * read from the text and refused where it says something else; `string` and `path` are taken as they are.
   *
   * @default the field's own type where the compiler emits it (`emitDecoratorMetadata`), else that of its initial value
   */
  readonly type?: Type;
  /**
   * The only texts that are taken, or an enum: its string members are written as their value, others as their name;
   * the field gets the value.
   */
  readonly choices?: Allowed;
  /** Reads one value, in place of `type`. What it throws refuses the value: the message tells why. */
  readonly parse?: (text: string) => Parsed;
  /** One character between several values in one text: `,` for `--ports 80,443`. The option may still be repeated. */
  readonly separator?: Separator;
  /**
   * Whether the command line must give it.
   *
   * @default false
   */
  readonly required?: boolean;
  /**
   * Adds the opposite of a flag: `--no-color` to `--color`. A field without initial value then has three states:
   * undefined where neither was given.
   *
   * @default false
   */
  readonly negatable?: boolean;
  /** Environment variable that is read where the command line does not give the option. */
  readonly env?: string;
  /** Names of the options (`dryRun`) that cannot be given with this one. */
  readonly conflicts?: string | string[];
  /**
   * Left out of the help, and of tools.
   *
   * @default false
   */
  readonly hidden?: boolean;
  /** How the help shows the initial value. @default as JSON; nothing where JSON cannot say it */
  readonly defaultText?: string;
  /** All else that commander knows: `(option) => option.implies({ quiet: true })`. */
  readonly configure?: (option: Option) => void;
}

/** What the argument's name and the field itself do not say. */
export interface ArgumentSettings<
  Type extends ValueType = ValueType,
  Allowed extends Choices = Choices,
  Parsed = unknown,
> extends Pick<
  OptionSettings<Type, Allowed, Parsed>,
  'type' | 'choices' | 'parse' | 'schema' | 'defaultText'
> {
  /** All else that commander knows of an argument. */
  readonly configure?: (argument: Argument) => void;
}
