import type { Answer } from '@mcpify/markers';

import type { CancelSignal } from './cancel-signal.js';
import type { CommandNode } from '../schema/command-node.js';
import type { Outcome } from '../result/outcome.js';

/** One run of a command: made by `invocation/`, run by an executor. */
export interface Invocation {
  readonly toolName: string;
  readonly command: CommandNode;
  /** What stands behind the program's name: given to the root's `parseAsync(argv, { from: 'user' })`. */
  readonly argv: readonly string[];
  /** The same for a command line that everybody can read; undefined where it need not differ (argv.md rule 14). */
  readonly shownArgv: () => readonly string[] | undefined;
  /** Values of secret parameters: nothing that the caller gets repeats them. */
  readonly secrets: readonly string[];
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
  readonly signal: CancelSignal;
  /** Ends the call after so many milliseconds. @default no limit */
  readonly timeoutMs?: number | undefined;
  /** How much output is kept, in bytes of UTF-8 (head and tail). `Infinity` keeps all. */
  readonly outputBudgetBytes: number;
  /** Where all of the output goes as soon as it is more than the budget: asked for at that moment, once. */
  readonly keepOutput?: (() => OutputSink | undefined) | undefined;
  /** Hides secrets in a line before it is cut. What is whole is masked by whoever is told of it. */
  readonly maskLine?: ((line: string) => string) | undefined;
  /** A line that the command logged. Never called after the run has ended. */
  log(level: LogLevel, data: unknown): void;
  /** What an action logs by `callContext()`, whatever its level: for a call that asks for its debug log. */
  readonly debugLog?: ((level: LogLevel, data: unknown) => void) | undefined;
  /** Progress that the command reported itself. Never called after the run has ended. */
  progress(done: number, total?: number, message?: string): void;
  /** Variables that are set for this run alone. @default none */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** What becomes of processes that the command leaves running, where it has a process of its own. @default 'kill' */
  readonly leftovers?: 'kill' | 'keep' | undefined;
  /** Who calls, where the transport knows it (HTTP with auth). */
  readonly caller?: string | undefined;
  /** Asks the person behind the client. Rejects where nobody can be asked, with a text that says what to pass. */
  readonly ask: Ask;
}

/** @param signal aborted when nobody waits for the answer any more */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>;

export interface Question {
  readonly message: string;
  /** JSON Schema of the answer's content: an object of plain values. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface OutputSink {
  write(text: string): void;
}

export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

export interface Executor {
  /** Runs the command. Never rejects: every end is an `Outcome`. */
  run(invocation: Invocation, context: RunContext): Promise<Outcome>;
}
