import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

import type { Settings } from '../options/mcp-options.js';
import { describeTaskError, type LoadTasks } from '../tools/background-tasks.js';
import type { TaskCall } from '../tools/call-task-tool.js';
import { describeState } from '../tools/describe-task.js';
import { readLastLine } from '../tools/read-last-line.js';
import { readOutcome } from '../tools/task-outcome.js';
import type { ToolResult } from '../tools/tool.js';
import type { Task, TaskAnswer } from '../tasks/task-backend.js';
import type { TaskHandle } from './answer-call.js';
import { toInputRequests } from './input-requests.js';
import type { TaskMethod } from './native-tasks.js';

type TaskAccess = Omit<TaskCall<never>, 'values'>;

/** What a `tools/call` is answered with in place of a result: the task can be asked for already (protocol.md, section 7). */
export function toHandle(task: Task, result: ToolResult, settings: Settings): TaskHandle {
  // The first block tells of the tools for tasks; those behind it of the session, and nobody else does.
  const notes = result.content.slice(1).flatMap(({ text }) => text ?? []);
  const statusMessage = notes.length > 0 ? notes.join('\n') : undefined;
  return { resultType: 'task', ...toTaskFields(task, settings, statusMessage) };
}

interface TaskRequest {
  readonly method: TaskMethod;
  readonly taskId: string;
  /** To what the task asks, by the keys of its questions. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Keys of answers that are no objects. */
  readonly malformed: readonly string[];
}

/**
 * Answers a request about a task, from the store of the tools for tasks, under the same ids.
 *
 * @throws ProtocolError -32602 for an id that is unknown, expired or another caller's
 */
export async function answerTaskRequest(
  { method, taskId, ...given }: TaskRequest,
  { caller, signal }: Pick<TaskAccess, 'caller' | 'signal'>,
  loadTasks: LoadTasks,
  settings: Settings,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const tasks = await loadTasks();
    const task = await tasks.backend.get(taskId, caller);
    if (!task) throw noSuchTask(taskId);
    if (method === 'tasks/get') return await describe({ tasks, caller, signal }, task, settings);
    if (method === 'tasks/cancel' && task.status === 'running') await tasks.backend.cancel(taskId, caller);
    if (method === 'tasks/update') await passOn({ tasks, caller, signal }, taskId, given);
    return {};
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    throw new ProtocolError(ProtocolErrorCode.InternalError, describeTaskError(error));
  }
}

async function describe(access: TaskAccess, task: Task, settings: Settings) {
  if (task.status === 'running') {
    const isQueued = task.phase === 'queued';
    const message = isQueued ? 'waits for its turn' : await readLastLine(access, task.taskId);
    const fields = toTaskFields(task, settings, message);
    const questions = await access.tasks.backend.questions?.(task.taskId, access.caller);
    if (!questions || questions.size === 0) return fields;
    return { ...fields, status: 'input_required', inputRequests: toInputRequests(questions) };
  }
  const fields = toTaskFields(task, settings, describeState(task));
  switch (fields.status) {
    case 'failed':
      return { ...fields, error: { code: ProtocolErrorCode.InternalError, message: describeState(task) } };
    case 'completed':
      return { ...fields, result: await readOutcome(access, task, settings.outputBudgetBytes) };
    default:
      return { ...fields, statusMessage: (await readLastLine(access, task.taskId)) ?? describeState(task) };
  }
}

/** Answers that nobody waits for are passed over; one that is not what was asked for leaves its question open. */
async function passOn(
  { tasks, caller }: TaskAccess,
  taskId: string,
  { answers, malformed }: Pick<TaskRequest, 'answers' | 'malformed'>,
) {
  const questions = await tasks.backend.questions?.(taskId, caller);
  const { findFault } = await import('../tools/ask-client.js');
  const answered: [key: string, answer: TaskAnswer][] = [];
  for (const [key, question] of questions ?? []) {
    if (malformed.includes(key)) throw invalidAnswer(key, 'an answer is an object with an action');
    if (!Object.hasOwn(answers, key)) continue;
    const { action, content } = answers[key] as TaskAnswer;
    const isAction = action === 'accept' || action === 'decline' || action === 'cancel';
    if (!isAction) throw invalidAnswer(key, 'no action is given');
    const fault = action === 'accept' ? findFault(question, content ?? {}) : undefined;
    if (fault !== undefined) throw invalidAnswer(key, fault);
    answered.push([key, { action, ...(content && { content }) }]);
  }
  // All or none: a request that is refused has changed nothing.
  for (const [key, answer] of answered) await tasks.backend.answer?.(taskId, key, answer, caller);
}

function invalidAnswer(key: string, fault: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `tasks/update: ${key}: ${fault}`);
}

const DAY_MS = 86_400_000;
const SHORTEST_POLL_MS = 500;
const LONGEST_POLL_MS = 5_000;

function toTaskFields(task: Task, { tasks }: Settings, statusMessage: string | undefined) {
  const { taskId, createdAt, endedAt, elapsedMs } = task;
  const status = toStatus(task);
  const pollIntervalMs = Math.min(Math.max(Math.round(elapsedMs / 10), SHORTEST_POLL_MS), LONGEST_POLL_MS);
  return {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt: endedAt ?? createdAt,
    // From its creation, as the protocol counts; the days of retention begin with its end.
    ttlMs: Math.round(elapsedMs) + Math.ceil(tasks.retentionDays * DAY_MS),
    ...(status === 'working' && { pollIntervalMs }),
  };
}

/** `failed` is for what was never run: a command that failed is a result that says so. */
function toStatus({ status, reason }: Task): 'working' | 'completed' | 'failed' | 'cancelled' {
  if (status === 'running') return 'working';
  if (status === 'cancelled') return 'cancelled';
  const isUnstarted = status === 'failed' && (reason === 'never-started' || reason === 'spawn-error');
  return isUnstarted ? 'failed' : 'completed';
}

function noSuchTask(taskId: string): ProtocolError {
  const shown = taskId.length > LONGEST_ID ? `${taskId.slice(0, LONGEST_ID)}…` : taskId;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `No such task: ${JSON.stringify(shown)}`);
}

const LONGEST_ID = 60;
