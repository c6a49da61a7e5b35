import type { CommandNode } from '../schema/command-node.js';
import type { Outcome } from '../result/outcome.js';

/** One run of a command: made by `invocation/`, run by an executor. */
export interface Invocation {
  readonly toolName: string;
  readonly command: CommandNode;
  /** What stands behind the program's name: given to the root's `parseAsync(argv, { from: 'user' })`. */
  readonly argv: readonly string[];
  /**
   * Compares what commander parsed with what was asked for; a sentence where they differ. Runs before the action
   * (argv.md rule 13).
   */
  readonly findMismatch: (actionCommand: CommandNode) => string | undefined;
  /** May overlap with other in-process calls (`McpConcurrent`). */
  readonly concurrent: boolean;
}

/** The caller's side of one run. */
export interface RunContext {
  readonly signal: AbortSignal;
  /** Ends the call after so many milliseconds. @default no limit */
  readonly timeoutMs?: number | undefined;
  /** How much output is kept, in bytes of UTF-8 (head and tail). `Infinity` keeps all. */
  readonly outputBudgetBytes: number;
  /** A line that the command logged. Never called after the run has ended. */
  log(level: LogLevel, data: unknown): void;
  /** Progress that the command reported itself. Never called after the run has ended. */
  progress(done: number, total?: number, message?: string): void;
  /** Who calls, where the transport knows it (HTTP with auth). */
  readonly caller?: string | undefined;
}

export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

export interface Executor {
  /** Runs the command. Never rejects: every end is an `Outcome`. */
  run(invocation: Invocation, context: RunContext): Promise<Outcome>;
}
