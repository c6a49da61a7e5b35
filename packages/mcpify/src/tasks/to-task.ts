import type { Task, TaskPhase } from './task-backend.js';
import type { ExitRecord, TaskRecord } from './task-records.js';

/** A task as its owner sees it. */
export function toTask(
  { taskId, spec, createdAt }: TaskRecord,
  state: { readonly phase: TaskPhase } | { readonly exit: ExitRecord },
  outputBytes: number,
): Task {
  const common = {
    taskId,
    toolName: spec.toolName,
    commandPath: spec.commandPath,
    attempt: 1,
    createdAt,
    ...(spec.timeoutMs !== undefined && { timeoutMs: spec.timeoutMs }),
    outputBytes,
  };
  if ('phase' in state) {
    return { ...common, status: 'running', phase: state.phase, elapsedMs: between(createdAt, Date.now()) };
  }
  const { status, exitCode, signal, reason, message, evidence, endedAt } = state.exit;
  return {
    ...common,
    status,
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    evidence,
    endedAt,
    elapsedMs: between(createdAt, Date.parse(endedAt)),
  };
}

/** The clock may have been set back meanwhile. */
function between(start: string, endMs: number): number {
  return Math.max(0, endMs - Date.parse(start)) || 0;
}
