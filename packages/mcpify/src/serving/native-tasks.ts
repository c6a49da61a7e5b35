import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { Settings } from '../options/mcp-options.js';
import type { Registry } from '../registry/registry.js';
import type { Tool } from '../tools/tool.js';
import type { CallRequest } from './answer-call.js';
import { declaresTasks, describeMissingTasks, NEEDS_TASKS } from './client-capabilities.js';
import { callerOf } from './http/caller-of.js';

const METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const;

/** @throws -32021 where the tool runs as a task only, and the request takes none */
export function checkTaskSupport(tool: Tool, context: ServerContext): void {
  if (!tool.needsTasks || !context.mcpReq.envelope || declaresTasks(context.mcpReq.envelope)) return;
  throw missingExtension(`${tool.definition.name} runs as a task only`);
}

/** Undefined where the request takes no task: then the tool's own answer tells of it. */
export function toHandleFor(context: ServerContext, settings: Settings): CallRequest['toHandle'] {
  if (!declaresTasks(context.mcpReq.envelope)) return undefined;
  return async (task, result) => (await loadAnswers()).toHandle(task, result, settings);
}

/** `tasks/get`, `tasks/update` and `tasks/cancel` of a connection without handshake. What they do is loaded by the first. */
export function serveNativeTasks(server: Server, registry: Registry, settings: Settings): void {
  const { loadTasks } = registry;
  if (!loadTasks) return;
  for (const method of METHODS) {
    server.setRequestHandler(method, { params: AS_THEY_CAME }, async (params, context) => {
      if (!declaresTasks(context.mcpReq.envelope)) throw missingExtension(method);
      const { taskId } = params as { readonly taskId?: unknown };
      if (typeof taskId !== 'string') throw invalid(`${method}: params.taskId must be a string`);
      const { answerTaskRequest } = await loadAnswers();
      const caller = { owner: callerOf(context.http?.authInfo) };
      const access = { caller, signal: context.mcpReq.signal };
      const { inputResponses: answers = {}, droppedInputResponseKeys: malformed = [] } = context.mcpReq;
      return answerTaskRequest({ method, taskId, answers, malformed }, access, loadTasks, settings);
    });
  }
}

export type TaskMethod = (typeof METHODS)[number];

/** Checked by the handler, in words of ours. */
const AS_THEY_CAME = {
  '~standard': {
    version: 1,
    vendor: 'mcpify',
    validate: (value: unknown) => ({ value }),
  },
} as const;

function loadAnswers() {
  return import('./answer-task-request.js');
}

function missingExtension(about: string): ProtocolError {
  return new MissingRequiredClientCapabilityError(NEEDS_TASKS, describeMissingTasks(about));
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
