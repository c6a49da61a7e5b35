import type { CancelSignal } from '../execution/cancel-signal.js';
import type { Ask, LogLevel } from '../execution/invocation.js';
import type { Task } from '../tasks/task-backend.js';
import type { Tool, ToolAnswer, ToolResult } from '../tools/tool.js';
import { createCallReports } from './call-reports.js';

/** The protocol's side of one `tools/call`, whoever read the request. */
export interface CallRequest {
  readonly toolArguments: Readonly<Record<string, unknown>>;
  readonly signal: CancelSignal;
  /** Where the transport knows its callers. */
  readonly caller?: string | undefined;
  /** Undefined for a request that stands alone (2026-07-28). */
  readonly connection: object | undefined;
  readonly progressToken: string | number | undefined;
  /** Which log messages the client wants. */
  readonly wants: (level: LogLevel) => boolean;
  notify(method: string, params: Readonly<Record<string, unknown>>): void;
  /** Undefined where the client cannot be asked. */
  readonly ask?: Ask | undefined;
  /** What a client that is given tasks themselves gets in place of a result. */
  toHandle?: ((task: Task, result: ToolResult) => Promise<TaskHandle>) | undefined;
  readonly contentsOnly?: boolean;
}

export type TaskHandle = Readonly<Record<string, unknown>> & { readonly resultType: 'task' };

/** The answer to `tools/call`. */
export function answerCall(tool: Tool, request: CallRequest): Promise<ToolResult | TaskHandle> {
  return runWithReports<ToolResult | TaskHandle>(tool, request, (answer) => {
    // Most answers are results as they are.
    if (answer.startedTask === undefined && answer.isRefusal === undefined) return answer;
    const { startedTask, isRefusal: _, ...result } = answer;
    return startedTask && request.toHandle ? request.toHandle(startedTask, result) : result;
  });
}

/** Runs the tool with its log messages and progress; none of them leaves after the result. */
export function runTool(tool: Tool, request: CallRequest): Promise<ToolAnswer> {
  return runWithReports(tool, request, (answer) => answer);
}

/** In one step, since every promise of a call costs time: the engine notes its async context. */
async function runWithReports<Answer>(
  tool: Tool,
  request: CallRequest,
  toAnswer: (answer: ToolAnswer) => Answer | Promise<Answer>,
): Promise<Answer> {
  const reports = createCallReports(request);
  const { toolArguments, signal, caller, connection, ask, contentsOnly } = request;
  const answer = await tool.call(toolArguments, {
    signal,
    caller,
    connection,
    ask,
    contentsOnly,
    answersTasks: ask !== undefined && request.toHandle !== undefined,
    log: reports.log,
    progress: reports.progress,
  });
  const mayLeave = reports.close();
  if (mayLeave) await mayLeave;
  return toAnswer(answer);
}
