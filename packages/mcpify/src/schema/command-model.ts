import type { ArgumentNode, CommandNode, OptionNode } from './command-node.js';
import type { JsonSchema } from './json-schema.js';

/** All that the bridge knows of one command: read once from commander's declaration, used by every call. */
export interface CommandModel {
  readonly command: CommandNode;
  /** Program first, the command itself last. */
  readonly path: readonly CommandNode[];
  readonly parameters: readonly Parameter[];
  readonly inputSchema: JsonSchema;
  /** Sentences for the description that the schema cannot say (environment variables, conflicts, ...). */
  readonly notes: readonly string[];
}

/** One property of the tool's input schema and where its value goes. */
export interface Parameter {
  /** The key in the input schema: unique, `[A-Za-z0-9_.-]{1,64}`. */
  readonly property: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly secret: boolean;
  readonly target: OptionTarget | ArgumentTarget | ExcessTarget;
}

export interface OptionTarget {
  readonly kind: 'option';
  /** The option that takes the value; for a lone `--no-x` it is that option. */
  readonly option: OptionNode;
  /** The `--no-x` partner of a pair. */
  readonly negation?: OptionNode | undefined;
  /** Index into `CommandModel.path` of the command that declares it. */
  readonly level: number;
}

export interface ArgumentTarget {
  readonly kind: 'argument';
  readonly argument: ArgumentNode;
  readonly index: number;
}

/** The `args` array where excess arguments are allowed and none are declared (B3.7). */
export interface ExcessTarget {
  readonly kind: 'excess';
}
