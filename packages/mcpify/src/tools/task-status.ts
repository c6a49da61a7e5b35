import type { Task } from '../tasks/task-backend.js';
import type { TaskCall } from './call-task-tool.js';
import { describeState, noSuchTask, pollAfterMs, showCall, showDuration } from './describe-task.js';
import { errorResult } from '../result/tool-result.js';
import { readLastLine } from './read-last-line.js';
import type { ToolResult } from './tool.js';

interface StatusArguments {
  readonly taskId?: string;
  readonly waitMs?: number;
}

/** B8.3: one task, or the list of the caller's. */
export async function showTaskStatus(call: TaskCall<StatusArguments>): Promise<ToolResult> {
  const { values, tasks, caller, signal } = call;
  const { taskId, waitMs = 0 } = values;
  if (taskId === undefined) {
    return waitMs > 0
      ? errorResult('waitMs needs a taskId: which task is to be waited for?')
      : listTasks(call);
  }
  const { backend } = tasks;
  const task =
    waitMs > 0 ? await backend.wait(taskId, waitMs, caller, signal) : await backend.get(taskId, caller);
  if (!task) return noSuchTask(taskId);
  const lastLine = await readLastLine(call, taskId);
  const text = [`Task ${taskId}: ${task.toolName} ${describeState(task)}.`, describeOutput(task, lastLine)];
  return {
    content: [{ type: 'text', text: [...text, nextStep(task)].join('\n') }],
    structuredContent: { ...toFacts(task), ...(lastLine !== undefined && { lastLine }) },
  };
}

function describeOutput({ outputBytes }: Task, lastLine: string | undefined): string {
  if (outputBytes === 0) return 'No output so far.';
  const last = lastLine === undefined ? '' : `, the last line: ${JSON.stringify(lastLine)}`;
  return `Output: ${outputBytes} bytes${last}`;
}

function nextStep(task: Task): string {
  const { taskId, status, outputBytes } = task;
  if (status === 'running') {
    const wait = showCall('task_status', { taskId, waitMs: 45_000 });
    return `Not finished. Look again in ${showDuration(pollAfterMs(task))} or wait: ${wait}`;
  }
  return outputBytes === 0
    ? 'It is finished.'
    : `It is finished. Its output: ${showCall('task_result', { taskId })}`;
}

function toFacts(task: Task): Readonly<Record<string, unknown>> {
  const { taskId, toolName, status, commandPath: _, ...more } = task;
  const facts = { taskId, tool: toolName, status, ...more };
  const poll = status === 'running' ? { pollAfterMs: pollAfterMs(task) } : {};
  return Object.fromEntries(Object.entries({ ...facts, ...poll }).filter(([, value]) => value !== undefined));
}

/** Ended tasks that are listed; one that runs is never left out. */
const MOST_LISTED = 20;

async function listTasks({ tasks, caller }: TaskCall<StatusArguments>): Promise<ToolResult> {
  const { backend } = tasks;
  if (!backend.capabilities.list)
    return errorResult('There is no list of tasks here: name one by its taskId.');
  const all = await backend.list(caller);
  const listed = all.filter(({ status }, index) => index < MOST_LISTED || status === 'running');
  const lines = listed.map((task) => `${task.taskId} ${task.toolName} ${describeState(task)}`);
  if (listed.length < all.length) lines.push('Older ones are not listed.');
  return {
    content: [{ type: 'text', text: lines.length === 0 ? 'You have no tasks.' : lines.join('\n') }],
    structuredContent: {
      tasks: listed.map(({ taskId, toolName, status, createdAt }) => ({
        taskId,
        tool: toolName,
        status,
        createdAt,
      })),
    },
  };
}
