import type { ToolResult } from '../result/tool-result.js';
import type { ToolAnnotations } from '../schema/tool-annotations.js';

/**
 * Stands around the calls of commands: for audit logs, rate limits, redaction, policy. What it throws refuses the call
 * with the error's message. Calls whose arguments are wrong are refused before it, and the built-in tools have none.
 */
export interface Middleware {
  /** Before the command runs; the command waits for it. */
  before?(call: ToolCall): void | Promise<void>;
  /**
   * Around the command.
   *
   * @param next runs what is inside, the command last, and never rejects; once at most. Not called, nothing runs
   * @returns what the caller gets: the result of `next`, or another
   */
  around?(call: ToolCall, next: () => Promise<ToolResult>): ToolResult | Promise<ToolResult>;
  /**
   * Behind the command, also where it failed, or where `around` or a middleware inside refused the call.
   *
   * @returns another result for the caller, or nothing: the result stays
   */
  after?(call: ToolCall, result: ToolResult): AfterResult | Promise<AfterResult>;
}

type AfterResult = ToolResult | undefined | void;

/** One call of a command, as those who decide about it see it. Nothing of it can be changed. */
export interface ToolCall {
  readonly tool: ToolInfo;
  /**
   * What the command will be run with, by property: values of the operator, the session and the call. Those that
   * commander itself takes from the environment or from a default are not there; secret ones are `"***"`.
   */
  readonly values: Readonly<Record<string, unknown>>;
  /** Who calls, where the transport knows it (HTTP with authentication); else undefined. */
  readonly caller: string | undefined;
  /** Aborted when the client cancels the call or leaves. */
  readonly signal: AbortSignal;
}

/** A command as it stands in the tool list. */
export interface ToolInfo {
  readonly name: string;
  /** Names of the command and the groups above it, without the program's. */
  readonly commandPath: readonly string[];
  readonly annotations: ToolAnnotations;
}

/**
 * Asked before each call of a command.
 *
 * @returns true, or what refuses the call: false, or a hint that tells the model why, or what would help
 */
export type IsEnabled = (tool: ToolInfo) => boolean | string | Promise<boolean | string>;
