/** Settings of a server. Every one has a default; a server without options does the right thing. */
export interface McpOptions {
  /** Server name told to clients. @default the name in the nearest package.json, else the program's name */
  readonly name?: string;
  /** Server version told to clients. @default the version in the nearest package.json, else "0.0.0" */
  readonly version?: string;
  /** Text for the model about the server as a whole. @default none */
  readonly instructions?: string;
  /** Working directory of the commands. @default the directory that the server was started in */
  readonly cwd?: string;
  /** Folder that values of `path` parameters must lie in, links resolved (decision 12). @default no limit */
  readonly root?: string;
  /** Option values fixed by the operator, by property name: absent from the schema, never overridden. @default none */
  readonly pinnedValues?: Readonly<Record<string, unknown>>;
  /** Option values used when a call gives none, by property name. @default none */
  readonly defaultValues?: Readonly<Record<string, unknown>>;
  /** How much output a result carries, in bytes; head and tail are kept. @default 100,000 */
  readonly outputBudgetBytes?: number;
  /** Ends a call after this many milliseconds. @default no limit */
  readonly callTimeoutMs?: number;
  /** Serves an empty tool list with the reason when the program fails to load, instead of ending. @default false */
  readonly serveLoadErrors?: boolean;
}

/** `McpOptions` with every default filled in. */
export interface Settings {
  readonly name: string;
  readonly version: string;
  readonly instructions: string | undefined;
  readonly cwd: string;
  readonly root: string | undefined;
  readonly pinnedValues: Readonly<Record<string, unknown>>;
  readonly defaultValues: Readonly<Record<string, unknown>>;
  readonly outputBudgetBytes: number;
  readonly callTimeoutMs: number | undefined;
  readonly serveLoadErrors: boolean;
}
