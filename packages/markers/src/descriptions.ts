import type { JsonSchemaLike } from './marks.js';

/** What the value of an option or argument is, where commander's declaration cannot say. */
export type ValueType = 'string' | 'number' | 'integer' | 'boolean' | 'date' | 'json' | 'path';

export interface ArgumentDescription {
  /**
   * The value's type. `path` values must lie in the server's `root`, where one is set.
   *
   * @default read from the declaration; `string` where it says nothing
   */
  readonly type?: ValueType;
  /** JSON Schema of the property, in place of the one read from the declaration. */
  readonly schema?: JsonSchemaLike;
  /** @default commander's description */
  readonly description?: string;
}

export interface OptionDescription extends ArgumentDescription {
  /**
   * Never shown in schemas, logs, errors or the session cache.
   *
   * @default true where the name says password, passwd, passphrase, token, secret, api key or credential
   */
  readonly secret?: boolean;
  /**
   * Whether the value is remembered for the session.
   *
   * @default true for options that take a value, false for flags and secrets
   */
  readonly cache?: boolean;
  /**
   * Leaves the option out of the tool: clients neither see nor set it.
   *
   * @default false
   */
  readonly exclude?: boolean;
  /**
   * A call with `debug: true` gives this option, unless it says otherwise itself: `--verbose` (behaviour B6.1). For
   * flags and options whose value may be left out.
   *
   * @default false
   */
  readonly debug?: boolean;
}
