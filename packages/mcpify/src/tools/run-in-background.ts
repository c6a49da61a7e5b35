import { toChildExecArgv } from '../child-process/child-command.js';
import type { Invocation } from '../execution/invocation.js';
import { errorResult } from '../result/tool-result.js';
import type { Task, TaskSpec } from '../tasks/task-backend.js';
import { describeTaskError, type LoadTasks } from './background-tasks.js';
import { pollAfterMs, showCall } from './describe-task.js';
import type { ToolAnswer, ToolCallContext } from './tool.js';

/** What a spec says beside the argv: the same for every call of a tool. */
export type TaskFacts = Pick<
  TaskSpec,
  'commandPath' | 'entry' | 'cwd' | 'timeoutMs' | 'exitCodes' | 'leftovers' | 'tie' | 'idempotent'
>;

/** Starts the command as a task and answers at once (B8.1). Nothing of the call ends the task (decision 11). */
export async function runInBackground(
  invocation: Invocation,
  facts: TaskFacts,
  { caller, signal, answersTasks }: ToolCallContext,
  loadTasks: LoadTasks,
): Promise<ToolAnswer> {
  const shown = invocation.shownArgv();
  const spec: Omit<TaskSpec, 'asks'> = {
    ...facts,
    toolName: invocation.toolName,
    execArgv: toChildExecArgv(process.execArgv),
    argv: shown ?? invocation.argv,
  };
  try {
    const tasks = await loadTasks();
    if (signal.aborted) return errorResult('The call was cancelled before the task began.');
    const asks = answersTasks === true && tasks.backend.answer !== undefined;
    const task = await tasks.backend.start(
      asks ? { ...spec, asks } : spec,
      { argv: shown && invocation.argv },
      { owner: caller },
    );
    tasks.hideSecrets(task.taskId, invocation.secrets);
    return toStarted(task);
  } catch (error) {
    return errorResult(describeTaskError(error));
  }
}

function toStarted(task: Task): ToolAnswer {
  const { taskId, toolName, status } = task;
  const state = task.phase === 'queued' ? 'waits for its turn' : 'runs in the background';
  const wait = showCall('task_status', { taskId, waitMs: 45_000 });
  const text =
    `Not finished: ${toolName} ${state} as task ${taskId}. Go on with something else, or wait for its end: ${wait}. ` +
    'task_result reads its output, task_cancel stops it.';
  return {
    content: [{ type: 'text', text }],
    structuredContent: { taskId, status, pollAfterMs: pollAfterMs(task) },
    startedTask: task,
  };
}
