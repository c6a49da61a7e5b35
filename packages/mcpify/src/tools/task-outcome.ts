import { errorResult, type ToolResult } from '../result/tool-result.js';
import type { Task } from '../tasks/task-backend.js';
import type { TaskCall } from './call-task-tool.js';
import { describeState, showCall, showDuration } from './describe-task.js';
import { readReadablePage } from './readable-page.js';

/**
 * What a call that had waited for the task would have answered: its output, cut to the budget as any result, and how
 * it ended where that is not plain success. For tasks that have ended.
 */
export async function readOutcome(
  call: Omit<TaskCall<never>, 'values'>,
  task: Task,
  budgetBytes: number,
): Promise<ToolResult> {
  const output = await readWhole(call, task, budgetBytes);
  const text = [output, ...endOf(task)].filter((part) => part !== '').join(lineEnd(output));
  if (task.status !== 'completed') return errorResult(text);
  return { content: [{ type: 'text', text: text === '' ? 'Done. The command printed nothing.' : text }] };
}

function endOf(task: Task): string[] {
  const { status, exitCode, elapsedMs, timeoutMs } = task;
  if (status === 'completed') return exitCode ? [`[exit code ${exitCode}]`] : [];
  // A time limit is told in the words of every other one.
  if (status === 'timeout') return [`[timed out after ${showDuration(timeoutMs ?? elapsedMs)}]`];
  return [`[${describeState(task)}]`];
}

/** Head and tail, with the way to the rest between them, where all of it is more than the budget. */
async function readWhole(
  call: Omit<TaskCall<never>, 'values'>,
  { taskId, outputBytes }: Task,
  budgetBytes: number,
): Promise<string> {
  if (outputBytes === 0) return '';
  const isWhole = outputBytes <= budgetBytes;
  const half = Math.ceil(budgetBytes / 2);
  const read = (offsetBytes: number, maxBytes: number) =>
    readReadablePage(call, taskId, { offsetBytes, maxBytes });
  const head = await read(0, isWhole ? budgetBytes : half);
  if (isWhole || !head) return head?.text ?? '';
  const tail = await read(Math.max(head.nextOffsetBytes, outputBytes - half), half);
  const next = showCall('task_result', { taskId, offsetBytes: head.nextOffsetBytes });
  const note = `[… cut here: the output has ${outputBytes} bytes: ${next} …]`;
  return `${head.text}${lineEnd(head.text)}${note}\n${tail?.text ?? ''}`;
}

function lineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? '' : '\n';
}
