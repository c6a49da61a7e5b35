import type { ArgumentNode, CommandNode, OptionNode } from './command-node.js';
import type { JsonSchema } from './json-schema.js';
import type { ValueType } from './parameter-description.js';

/** All that the bridge knows of one command: read once from commander's declaration, used by every call. */
export interface CommandModel {
  readonly command: CommandNode;
  /** Program first, the command itself last. */
  readonly path: readonly CommandNode[];
  /** Options level by level, program first, then the arguments in order, then control parameters; pinned ones too. */
  readonly parameters: readonly Parameter[];
  readonly controls: ControlNames;
  readonly inputSchema: JsonSchema;
  /** Whether an author wrote the schema, or that of a parameter. */
  readonly hasAuthorSchema: boolean;
  /** Sentences for the description that the schema cannot say (environment variables, conflicts, ...). */
  readonly notes: readonly string[];
}

/** Parameters that the framework adds to the tools of commands (B3.5). */
export type Control = 'background' | 'debug' | 'nocache' | 'session';

/** Their property names in one tool; absent where it has none. */
export type ControlNames = Readonly<Partial<Record<Control, string>>>;

/** One property of the tool's input schema and where its value goes. */
export interface Parameter {
  /** The key in the input schema: unique, `[A-Za-z_][A-Za-z0-9_]{0,63}`. */
  readonly property: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly secret: boolean;
  /** Its value is the operator's: absent from the schema, and no call can set it. */
  readonly pinned: boolean;
  /** The session remembers its value (B7); if it is required, it is so once call and session are merged. */
  readonly cacheable: boolean;
  /** A call with `debug: true` gives it (B6.1). @default false */
  readonly givenByDebug?: boolean;
  /** How the value is made from strings; decides coercion and checks that JSON Schema cannot say. */
  readonly shape: ValueShape;
  readonly target: OptionTarget | ArgumentTarget | ExcessTarget | OwnTarget;
}

export interface ValueShape {
  /** `flag`: no value. `counter`: a flag given n times. `list`: repeated. `optional`: `[value]`, may be bare. */
  readonly kind: 'flag' | 'counter' | 'single' | 'optional' | 'list';
  /** The type of the value, or of each element. */
  readonly type: ValueType;
}

export interface OptionTarget {
  readonly kind: 'option';
  /** The option that takes the value; for a lone `--no-x` it is that option. */
  readonly option: OptionNode;
  /** commander's `attributeName()`, which is worked out anew at each call. */
  readonly attribute: string;
  /** The `--no-x` partner of a pair. */
  readonly negation: OptionNode | undefined;
  /** Index into `CommandModel.path` of the command that declares it. */
  readonly level: number;
}

export interface ArgumentTarget {
  readonly kind: 'argument';
  readonly argument: ArgumentNode;
  readonly index: number;
}

/** Of the framework itself: nothing of the command line. */
export interface OwnTarget {
  readonly kind: 'own';
}

/** The `args` array where excess arguments are allowed and none are declared (B3.7). */
export interface ExcessTarget {
  readonly kind: 'excess';
}
