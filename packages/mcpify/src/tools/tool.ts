import type { JsonSchema } from '../schema/json-schema.js';
import type { LogLevel } from '../execution/invocation.js';

/** One entry of `tools/list` and what a `tools/call` of it does. Commands and built-in tools are both of this form. */
export interface Tool {
  readonly definition: ToolDefinition;
  /** Never rejects for anything that the caller sent: wrong arguments are a result with `isError` (decision 1). */
  call(toolArguments: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<ToolResult>;
}

export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly annotations: ToolAnnotations;
}

/** All four hints are always written out (B2.3). */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** The protocol's side of one call; the binding in `serving/` supplies it. Silent once `signal` is aborted. */
export interface ToolCallContext {
  readonly signal: AbortSignal;
  /** Undefined when the request carried no progress token. */
  readonly progress?: ((done: number, total?: number, message?: string) => void) | undefined;
  log(level: LogLevel, logger: string, data: unknown): void;
  readonly caller?: string | undefined;
}

export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

export interface ContentBlock {
  readonly type: 'text';
  readonly text: string;
}
