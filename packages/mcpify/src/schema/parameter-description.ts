/**
 * What an author said of an option or argument beyond commander's declaration: the shape that `describeOption` and
 * `describeArgument` of `@mcpify/markers` record.
 */
export interface ParameterDescription {
  readonly type?: ValueType;
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly description?: string;
  readonly secret?: boolean;
  readonly cache?: boolean;
  readonly exclude?: boolean;
  readonly debug?: boolean;
}

export type ValueType = 'string' | 'number' | 'integer' | 'boolean' | 'date' | 'json' | 'path';
