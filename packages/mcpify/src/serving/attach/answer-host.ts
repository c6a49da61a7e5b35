import type { Ask, LogLevel } from '../../execution/invocation.js';
import { isNestedTooDeep, MOST_LEVELS } from '../../result/nesting.js';
import { errorResult } from '../../result/tool-result.js';
import type { Tool, ToolResult } from '../../tools/tool.js';
import { answerCall, type CallRequest } from '../answer-call.js';
import { callerOf } from '../http/caller-of.js';

/** One `tools/call` as a server sees it that is the user's own, whichever SDK it is made with. */
export interface HostCall {
  readonly toolArguments: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** What the host has found out about the caller's token. */
  readonly authInfo: HostAuth | undefined;
  /** Undefined for a request that stands alone (2026-07-28). */
  readonly connection: object | undefined;
  readonly progressToken: string | number | undefined;
  /** Undefined where the client cannot be asked while the call is open. */
  readonly ask: Ask | undefined;
  /** Sends a log message, as far as the client wants it. May fail without harm. */
  log(level: LogLevel, logger: string, data: unknown): Promise<void>;
  progress(params: Readonly<Record<string, unknown>>): Promise<void>;
}

export interface HostAuth {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: string[];
  readonly extra?: Record<string, unknown>;
}

/**
 * Runs the tool for a host. A scope that the caller does not hold (`McpScope`) is a result that names it.
 *
 * @param run what the call is answered with, where it may be something else than its result
 */
export async function answerHost(
  tool: Tool,
  call: HostCall,
  run: (tool: Tool, request: CallRequest) => Promise<object> = answerCall,
): Promise<ToolResult> {
  const { toolArguments, signal, authInfo, connection, progressToken, ask } = call;
  const { scope } = tool;
  if (scope !== undefined && authInfo && !authInfo.scopes.includes(scope)) {
    return errorResult(`Not allowed: ${tool.definition.name} needs a token with the scope "${scope}".`);
  }
  // The host's transport takes whatever comes.
  if (isNestedTooDeep(toolArguments)) {
    return errorResult(`The arguments are nested deeper than ${MOST_LEVELS} levels. Nothing was run.`);
  }
  const answer = await run(tool, {
    toolArguments,
    signal,
    caller: callerOf(authInfo),
    connection,
    progressToken,
    ask,
    wants: () => true,
    notify(method, params) {
      const { level, logger, data } = params as { level: LogLevel; logger: string; data: unknown };
      const sent = method === 'notifications/message' ? call.log(level, logger, data) : call.progress(params);
      void sent.catch(ignore);
    },
  });
  // A handle is only for those who ask for one by `toHandle`.
  return answer as ToolResult;
}

/** A command does not fail because the client could not be told of it. */
function ignore(): void {}
