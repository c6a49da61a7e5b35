import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

import type { Registry } from '../registry/registry.js';
import { withPlainScheme } from '../schema/resource-template.js';
import { describeTaskError } from '../tools/background-tasks.js';
import { describeState } from '../tools/describe-task.js';
import { showTaskResult } from '../tools/task-result.js';
import type { Task } from '../tasks/task-backend.js';

/** Who asks, and until when. */
interface ResourceAccess {
  readonly caller: string | undefined;
  readonly signal: AbortSignal;
}

const MIME_TYPE = 'text/plain';

/** The log of any task, by its id. */
export const TASK_TEMPLATE = {
  uriTemplate: 'mcpify://tasks/{taskId}/log',
  name: 'task_log',
  title: 'Log of a task',
  description: 'What a background task has printed so far, and what a result was too short for.',
  mimeType: MIME_TYPE,
} as const;

/** As many as `task_status` lists; one that runs is never left out. */
const MOST_LISTED = 20;

/**
 * The logs of the caller's own tasks, newest first. None where the backend keeps no list.
 *
 * @throws ProtocolError -32603 where the store cannot be read
 */
export async function listTaskResources({ loadTasks }: Registry, { caller }: ResourceAccess) {
  const all = await orInternalError(async () => {
    const backend = (await loadTasks?.())?.backend;
    return backend?.capabilities.list ? backend.list({ owner: caller }) : [];
  });
  return all.filter(({ status }, index) => index < MOST_LISTED || status === 'running').map(toResource);
}

/** The ids that the embedded backend and others make: whatever else it may be, it is no path. */
const TASK_URI = /^mcpify:\/\/tasks\/([\w.-]{1,128})\/log$/;

/** What `task_result` reads at most at once. */
const MOST_BYTES = 1_000_000;

/**
 * A page of the log as `task_result` shows it, from its beginning: cleaned, without secrets, framed as data, and with the
 * call that goes on where it is cut.
 *
 * @param budgetBytes of the log at most; the whole of it is never in memory
 * @returns undefined where there is no such resource, or it is another caller's (tasks.md, guarantee 18)
 * @throws ProtocolError -32603 where the store cannot be read
 */
export async function readTaskResource(
  { loadTasks }: Registry,
  uri: string,
  { caller, signal }: ResourceAccess,
  budgetBytes: number,
) {
  const taskId = TASK_URI.exec(withPlainScheme(uri))?.[1];
  if (taskId === undefined || !loadTasks) return undefined;
  const result = await orInternalError(async () => {
    const tasks = await loadTasks();
    const values = { taskId, offsetBytes: 0, maxBytes: Math.min(budgetBytes, MOST_BYTES) };
    return showTaskResult({ values, tasks, caller: { owner: caller }, signal });
  });
  if (result.isError) return undefined;
  const text = result.content.flatMap((block) => block.text ?? []).join('\n');
  return [{ uri, mimeType: MIME_TYPE, text }];
}

function toResource(task: Task) {
  const { taskId, toolName, createdAt } = task;
  return {
    uri: `mcpify://tasks/${taskId}/log`,
    name: taskId,
    title: `Log of ${toolName}`,
    description: `${toolName} ${describeState(task)}.`,
    mimeType: MIME_TYPE,
    annotations: { lastModified: task.endedAt ?? createdAt },
  };
}

async function orInternalError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ProtocolError(ProtocolErrorCode.InternalError, describeTaskError(error));
  }
}
