import type { HttpOptions } from './http-options.js';
import type { IsEnabled, Middleware } from './middleware.js';
import type { TaskOptions, TaskSettings } from './task-options.js';

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
  /**
   * The script of the CLI, which children run: commands that are isolated or files of their own. A
   * relative path starts from the folder of the MCP script.
   *
   * @default found by the nearest package.json and the folder of the MCP script
   */
  readonly cliEntry?: string;
  /** Folder that values of `path` parameters must lie in, links resolved (decision 12). @default no limit */
  readonly root?: string;
  /** Option values fixed by the operator, by property name: absent from the schema, never overridden. @default none */
  readonly pinnedValues?: Readonly<Record<string, unknown>>;
  /** Option values used when a call gives none, by property name. @default none */
  readonly defaultValues?: Readonly<Record<string, unknown>>;
  /**
   * Where option values are remembered (decision 5): `connection` for each connection that was opened by a handshake,
   * `handle` for each handle that a call mints with `session: "new"`, `auto` for both, `off` nowhere.
   *
   * @default 'auto'
   */
  readonly sessionCache?: SessionCache;
  /** Remembers boolean flags too, unless `describeOption` says `cache: false`. @default false */
  readonly cacheFlags?: boolean;
  /**
   * Other names for the parameters that the framework adds to tools, or `false` to leave one out. Where a command has
   * a parameter of the same name, that of the framework has the prefix `mcp`.
   *
   * @default their own names: `background`, `debug`, `nocache`, `session`
   */
  readonly controlParams?: ControlParams;
  /** `DEBUG` of a call with `debug: true`: which loggers it raises. @default "-winston:*,*" (all that log for the app) */
  readonly logPrefix?: string;
  /** How much output a result carries, in bytes; head and tail are kept. @default 100,000 */
  readonly outputBudgetBytes?: number;
  /** Ends a call after this many milliseconds. @default no limit */
  readonly callTimeoutMs?: number;
  /**
   * Asked before each call of a command: false, or a hint for the model, refuses it. The tool list never changes.
   *
   * @default every tool is enabled
   */
  readonly isEnabled?: IsEnabled;
  /** Stands around each call of a command, the first one outermost. @default none */
  readonly middleware?: readonly Middleware[];
  /** Serves an empty tool list with the reason when the program fails to load, instead of ending. @default false */
  readonly serveLoadErrors?: boolean;
  /**
   * Folder of background tasks and of outputs that were too long for a result. Private: never in the project.
   *
   * @default the state directory that the system has for this user
   */
  readonly stateDir?: string;
  /** How many background tasks of this server run at the same time. @default twice the number of cores, at least 4 */
  readonly maxConcurrentTasks?: number;
  /** How many more may wait for their turn; further ones are refused. @default 256 */
  readonly maxQueuedTasks?: number;
  /** How background tasks are run and kept. @default every part has its own */
  readonly tasks?: TaskOptions;
  /** How Streamable HTTP is served, where it is. @default loopback, a free port, no token */
  readonly http?: HttpOptions;
}

export interface ControlParams {
  /** Of long-running commands: whether the call answers at once with a task. Left out: it always does. */
  readonly background?: string | false;
  /** Returns what the call logged, too. */
  readonly debug?: string | false;
  /** Neither uses nor remembers option values. */
  readonly nocache?: string | false;
  /** Begins a session with `"new"`, or goes on with the one of a handle. Left out: connections alone have sessions. */
  readonly session?: string | false;
}

export type SessionCache = 'auto' | 'connection' | 'handle' | 'off';

/** `McpOptions` with every default filled in. */
export interface Settings {
  readonly name: string;
  readonly version: string;
  readonly instructions: string | undefined;
  readonly cwd: string;
  readonly cliEntry: string | undefined;
  readonly root: string | undefined;
  readonly pinnedValues: Readonly<Record<string, unknown>>;
  readonly defaultValues: Readonly<Record<string, unknown>>;
  readonly sessionCache: SessionCache;
  readonly cacheFlags: boolean;
  readonly controlParams: ControlParams;
  readonly logPrefix: string;
  readonly outputBudgetBytes: number;
  readonly callTimeoutMs: number | undefined;
  readonly isEnabled: IsEnabled | undefined;
  readonly middleware: readonly Middleware[];
  readonly serveLoadErrors: boolean;
  readonly tasks: TaskSettings;
}
