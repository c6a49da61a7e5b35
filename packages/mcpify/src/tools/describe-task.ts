import type { Task } from '../tasks/task-backend.js';
import { errorResult, type ToolResult } from '../result/tool-result.js';

/** `completed with exit code 0 after 12 s`, behind the name of what it is about; without a full stop. */
export function describeState(task: Task): string {
  const { status, attempt, message } = task;
  const again = attempt > 1 ? ` (attempt ${attempt})` : '';
  const reason = message === undefined || status === 'running' ? '' : `: ${message.replace(/\.$/, '')}`;
  return `${stateOf(task)}${again}${reason}`;
}

/** The same for a task that is unknown, expired or another caller's (tasks.md, guarantee 18). */
export function noSuchTask(taskId: string): ToolResult {
  const shown = taskId.length > LONGEST_ID ? `${taskId.slice(0, LONGEST_ID)}…` : taskId;
  return errorResult(`No such task: ${JSON.stringify(shown)}. task_status without taskId lists your tasks.`);
}

const LONGEST_ID = 60;

/** When to look again: soon at first, then ever more seldom. */
export function pollAfterMs({ elapsedMs }: Pick<Task, 'elapsedMs'>): number {
  const seconds = Math.round(elapsedMs / 2_000);
  return Math.min(Math.max(seconds * 1_000, SHORTEST_POLL_MS), LONGEST_POLL_MS);
}

const SHORTEST_POLL_MS = 5_000;
const LONGEST_POLL_MS = 60_000;

/** A call of a task tool as the model is to write it: `task_status {"taskId":"t…"}`. */
export function showCall(tool: string, toolArguments: Readonly<Record<string, unknown>>): string {
  return `${tool} ${JSON.stringify(toolArguments)}`;
}

/** `3 min 20 s`. */
export function showDuration(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  const seconds = Math.round(durationMs / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? pair(minutes, 'min', seconds % 60, 's')
    : pair(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

function pair(great: number, greatUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${great} ${greatUnit}` : `${great} ${greatUnit} ${small} ${smallUnit}`;
}

function stateOf({ status, phase, exitCode, signal, reason, elapsedMs, timeoutMs }: Task): string {
  const time = showDuration(elapsedMs);
  switch (status) {
    case 'running':
      if (phase === 'queued') return `waits for its turn, since ${time}`;
      return phase === 'starting' ? 'is starting' : `is running, since ${time}`;
    case 'completed':
      return `completed with exit code ${exitCode ?? 0} after ${time}`;
    case 'failed':
      return `failed ${causeOf(exitCode, signal, reason)} after ${time}`;
    case 'cancelled':
      return `was cancelled after ${time}`;
    case 'timeout':
      return timeoutMs === undefined
        ? `ran into its time limit after ${time}`
        : `was stopped at its time limit of ${showDuration(timeoutMs)}`;
  }
}

function causeOf(
  exitCode: number | undefined,
  signal: string | undefined,
  reason: string | undefined,
): string {
  if (exitCode !== undefined) return `with exit code ${exitCode}`;
  return signal === undefined ? `(${reason ?? 'no reason known'})` : `by ${signal}`;
}
