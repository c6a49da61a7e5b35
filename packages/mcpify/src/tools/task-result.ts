import type { OutputPage } from '../tasks/task-backend.js';
import type { TaskCall } from './call-task-tool.js';
import { describeState, noSuchTask, showCall } from './describe-task.js';
import { readReadablePage, type ReadablePage } from './readable-page.js';
import type { ToolResult } from './tool.js';

interface ResultArguments {
  readonly taskId: string;
  readonly offsetBytes?: number;
  readonly maxBytes?: number;
  readonly tailLines?: number;
  readonly waitMs?: number;
}

const PAGE_BYTES = 16_000;
const TAIL_LINES = 50;

/**
 * B8.4: a page of the log, live. Text alone: clients that are given structured content as well show the model that and
 * not the text, or both, and an agent is to pay for each line once.
 */
export async function showTaskResult(call: TaskCall<ResultArguments>): Promise<ToolResult> {
  const { values, tasks, caller, signal } = call;
  const { taskId, offsetBytes, maxBytes = PAGE_BYTES, tailLines = TAIL_LINES, waitMs } = values;
  const query = {
    offsetBytes,
    maxBytes,
    ...(offsetBytes === undefined && { tailLines }),
    ...(waitMs !== undefined && { waitMs }),
  };
  const found = await readReadablePage({ tasks, caller, signal }, taskId, query);
  if (!found) return noSuchTask(taskId);
  const { page, ...readable } = found;
  const text = [headline(page, readable), ...framed(taskId, page, readable), nextStep(page, readable)];
  return { content: [{ type: 'text', text: text.join('\n') }] };
}

function headline(
  { task, offsetBytes, totalBytes, truncatedBytes }: OutputPage,
  readable: ReadablePage,
): string {
  const { nextOffsetBytes } = readable;
  const about = `Task ${task.taskId}: ${task.toolName} ${describeState(task)}.`;
  const lost = truncatedBytes > 0 ? ` ${truncatedBytes} bytes before these are not kept any more.` : '';
  if (nextOffsetBytes > offsetBytes) {
    return `${about} Output, bytes ${offsetBytes} to ${nextOffsetBytes} of ${totalBytes}:${lost}`;
  }
  return `${about} ${totalBytes === 0 ? 'No output.' : `No output from byte ${offsetBytes} on.`}${lost}`;
}

/**
 * What a command printed is data (decision 14): it stands between two lines that it cannot know when it is written. The
 * line end before the second one is ours.
 */
function framed(
  taskId: string,
  { offsetBytes }: OutputPage,
  { text, nextOffsetBytes }: ReadablePage,
): string[] {
  const mark = `output ${taskId.slice(-6)}`;
  return nextOffsetBytes > offsetBytes ? [`<${mark}>`, text, `</${mark}>`] : [];
}

function nextStep({ task, totalBytes }: OutputPage, { nextOffsetBytes }: ReadablePage): string {
  const { taskId, status } = task;
  const next = { taskId, offsetBytes: nextOffsetBytes };
  if (nextOffsetBytes < totalBytes) return `More: ${showCall('task_result', next)}`;
  if (status !== 'running') return 'It is finished, and this is the end of its output.';
  return `Not finished. Next: ${showCall('task_result', { ...next, waitMs: 45_000 })}`;
}
