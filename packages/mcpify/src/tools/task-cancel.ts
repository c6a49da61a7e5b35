import { errorResult } from '../result/tool-result.js';
import type { Task } from '../tasks/task-backend.js';
import type { TaskCall } from './call-task-tool.js';
import { describeState, noSuchTask } from './describe-task.js';
import type { ToolResult } from './tool.js';

/** B8.5: answers when the whole tree is gone; a task that has ended stays as it is, and that is said. */
export async function cancelTask({
  values,
  tasks,
  caller,
}: TaskCall<{ readonly taskId: string }>): Promise<ToolResult> {
  const { taskId } = values;
  const before = await tasks.backend.get(taskId, caller);
  if (!before) return noSuchTask(taskId);
  const task = before.status === 'running' ? await tasks.backend.cancel(taskId, caller) : before;
  if (!task) return noSuchTask(taskId);
  const name = `Task ${taskId}: ${task.toolName}`;
  if (task.status === 'running') {
    return errorResult(`${name} was told to stop, but it ${describeState(task)}. Look at task_status.`);
  }
  const wasStopped = before.status === 'running' && task.status === 'cancelled';
  const text = wasStopped
    ? `${name} was cancelled. None of its processes runs any more.`
    : `${name} had ended before and stays as it is: it ${describeState(task)}.`;
  return { content: [{ type: 'text', text }], structuredContent: toFacts(task, wasStopped) };
}

function toFacts({ taskId, status }: Task, changed: boolean): Readonly<Record<string, unknown>> {
  return { taskId, status, changed };
}
