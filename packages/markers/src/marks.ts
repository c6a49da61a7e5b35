/** All marks of one command, as the registry reads them. Absent = not marked. */
export interface ToolMarks {
  readonly tool?: ToolOptions;
  readonly title?: string;
  readonly readOnly?: true;
  readonly destructive?: true;
  readonly additive?: true;
  readonly idempotent?: true;
  readonly openWorld?: true;
  readonly longRunning?: LongRunningOptions;
  readonly isolated?: true;
  readonly concurrent?: true;
  readonly exitCodes?: readonly number[];
  readonly inputSchema?: JsonSchemaLike;
  readonly output?: JsonSchemaLike;
  readonly resource?: ResourceOptions;
  readonly scope?: string;
}

export interface ToolOptions {
  /**
   * Tool name: `[A-Za-z_][A-Za-z0-9_]{0,63}`.
   *
   * @default the command path without the program's name, joined by `_`
   */
  readonly name?: string;
  /**
   * What the model reads about the tool.
   *
   * @default the command's description, else its summary
   */
  readonly description?: string;
}

export interface LongRunningOptions {
  /**
   * Stops the task, with its whole process tree, after this many milliseconds.
   *
   * @default no limit
   */
  readonly timeoutMs?: number;
  /**
   * Whether a client that knows the tasks extension may (`optional`) or must (`required`) get a task.
   *
   * @default 'optional'
   */
  readonly taskSupport?: 'optional' | 'required';
  /**
   * What happens to processes that the command left behind when it ended by itself.
   *
   * @default 'kill'
   */
  readonly leftovers?: 'kill' | 'keep';
}

export interface ResourceOptions {
  /**
   * A uri, or an RFC 6570 template (`{name}`, `{+name}`, `{?name,name}` at the end) whose variables are properties of
   * the tool's input schema. All that the command requires must be among them.
   */
  readonly uriTemplate: string;
  /**
   * Media type of the command's text.
   *
   * @default `application/json` where the command returns an object or has `McpOutput`, else `text/plain`
   */
  readonly mimeType?: string;
}

/** A JSON Schema object, sent as it is. */
export type JsonSchemaLike = Readonly<Record<string, unknown>>;

/** A class that is, or will become, a command. */
export type CommandClass = abstract new (...args: never[]) => object;

/**
 * One mark, ready to be applied: to a `Command` (returns it, with its type), or as a class decorator in either
 * dialect (legacy `experimentalDecorators` and TC39). Later marks of one kind win.
 */
export interface Mark {
  <C extends CommandLike>(command: C): C;
  <T extends CommandClass>(target: T, context: ClassDecoratorContext<T>): void;
  (target: CommandClass): void;
}

/** A mark without argument: `@McpReadOnly`, `@McpReadOnly()`, `McpReadOnly(command)`. */
export interface FlagMark extends Mark {
  <C extends CommandLike>(command: C): C;
  <T extends CommandClass>(target: T, context: ClassDecoratorContext<T>): void;
  (target: CommandClass): void;
  (): Mark;
}

/** A mark whose argument may be left out: `@McpTool`, `@McpTool({ name })`, `McpTool(command)`. */
export interface OptionsMark<Options> extends Mark {
  <C extends CommandLike>(command: C): C;
  <T extends CommandClass>(target: T, context: ClassDecoratorContext<T>): void;
  (target: CommandClass): void;
  (options?: Options): Mark;
}

/**
 * commander's `Command` by shape: several copies and majors (12 to 15) may live in one program, and a `Command` of
 * one does not fit the typings of another.
 */
export interface CommandLike {
  readonly commands: readonly object[];
  readonly options: readonly OptionLike[];
  readonly registeredArguments: readonly ArgumentLike[];
  name(): string;
}

/** commander's `Option` by shape. */
export interface OptionLike {
  readonly flags: string;
  readonly short?: string | undefined;
  readonly long?: string | undefined;
  attributeName(): string;
}

/** commander's `Argument` by shape. */
export interface ArgumentLike {
  readonly required: boolean;
  readonly variadic: boolean;
  name(): string;
}
