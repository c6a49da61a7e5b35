import { toAbortSignal } from '../execution/cancel-signal.js';
import { readArguments } from '../invocation/read-arguments.js';
import { errorResult } from '../result/tool-result.js';
import type { Caller } from '../tasks/task-backend.js';
import { describeTaskError, type BackgroundTasks, type LoadTasks } from './background-tasks.js';
import { cancelTask } from './task-cancel.js';
import { showTaskResult } from './task-result.js';
import { showTaskStatus } from './task-status.js';
import type { ToolCallContext, ToolDefinition, ToolResult } from './tool.js';

/** What a task tool is given: arguments that are checked against its schema. */
export interface TaskCall<Values> {
  readonly values: Values;
  readonly tasks: BackgroundTasks;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

type RunTaskTool = (call: TaskCall<never>) => Promise<ToolResult>;

const RUNS: Readonly<Record<string, RunTaskTool>> = {
  task_status: showTaskStatus,
  task_result: showTaskResult,
  task_cancel: cancelTask,
};

/** Runs one of the tools of `task-tools.ts`. */
export async function callTaskTool(
  definition: ToolDefinition,
  toolArguments: Readonly<Record<string, unknown>>,
  { caller, signal }: ToolCallContext,
  loadTasks: LoadTasks,
): Promise<ToolResult> {
  const read = readArguments(definition, toolArguments);
  if (read.kind === 'refused') return errorResult(read.message);
  const run = RUNS[definition.name] as RunTaskTool;
  try {
    const tasks = await loadTasks();
    return await run({
      values: read.values as never,
      tasks,
      caller: { owner: caller },
      signal: toAbortSignal(signal),
    });
  } catch (error) {
    return errorResult(describeTaskError(error));
  }
}
