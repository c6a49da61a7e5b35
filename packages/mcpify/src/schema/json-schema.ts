/** The part of JSON Schema 2020-12 that tools use here; an author's own schema may hold any keyword. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly default?: unknown;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly [keyword: string]: unknown;
}
