import type { JsonSchema } from '../schema/json-schema.js';
import type { CancelSignal } from '../execution/cancel-signal.js';
import type { Ask, LogLevel } from '../execution/invocation.js';
import type { ToolAnnotations } from '../schema/tool-annotations.js';
import type { ToolResult } from '../result/tool-result.js';
import type { Task } from '../tasks/task-backend.js';

export type { ToolResult } from '../result/tool-result.js';

/** One entry of `tools/list` and what a `tools/call` of it does. Commands and built-in tools are both of this form. */
export interface Tool {
  readonly definition: ToolDefinition;
  /** What a caller's access token must hold over HTTP with OAuth (`McpScope`). */
  readonly scope?: string | undefined;
  /** Runs as a task only, where the protocol has tasks (`McpLongRunning({ taskSupport: 'required' })`). */
  readonly needsTasks?: boolean;
  /** Never rejects for anything that the caller sent: wrong arguments are a result with `isError` (decision 1). */
  call(toolArguments: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<ToolAnswer>;
}

export interface ToolAnswer extends ToolResult {
  /** The task that the call began, for clients that are given tasks themselves. Never on the wire. */
  readonly startedTask?: Task;
  /** The command did not run, since its arguments were wrong. Never on the wire. */
  readonly isRefusal?: boolean;
}

export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** What `structuredContent` of a result matches (`McpOutput`). */
  readonly outputSchema?: JsonSchema;
  readonly annotations: ToolAnnotations;
}

/** The protocol's side of one call; the binding in `serving/` supplies it. Silent once `signal` is aborted. */
export interface ToolCallContext {
  readonly signal: CancelSignal;
  /** Undefined when the request carried no progress token. */
  readonly progress?: ((done: number, total?: number, message?: string) => void) | undefined;
  log(level: LogLevel, logger: string, data: unknown): void;
  readonly caller?: string | undefined;
  /** Undefined where the client cannot be asked. */
  readonly ask?: Ask | undefined;
  /** The client follows tasks itself, and can be asked what they ask. */
  readonly answersTasks?: boolean;
  /** The connection that was opened by a handshake, where it is a session; only its identity counts. */
  readonly connection?: object | undefined;
  /** The result is to be what the command gives, without what is said to a model beside it (stderr, exit codes). */
  readonly contentsOnly?: boolean | undefined;
}
