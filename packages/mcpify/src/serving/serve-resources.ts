import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { Settings } from '../options/mcp-options.js';
import type { Registry } from '../registry/registry.js';
import type { CallRequest } from './answer-call.js';
import { callerOf } from './http/caller-of.js';
import { hasResources } from './server-facts.js';

/** What every request of a client brings to a run of a command. */
export type RequestFacts = Pick<CallRequest, 'signal' | 'caller' | 'progressToken' | 'wants' | 'notify'>;

/**
 * `resources/list`, `resources/templates/list` and `resources/read`: commands marked `McpResource`, the logs of tasks
 * and what is kept of long output. What they do is loaded by the first request. Where there is nothing to serve, there
 * is no capability.
 *
 * An unknown resource is -32602 in every revision: the SDK sends no -32002, and clients know it by `data.uri`.
 */
export function serveResources(
  server: Server,
  registry: Registry,
  settings: Settings,
  toFacts: (context: ServerContext) => RequestFacts,
): void {
  if (!hasResources(registry)) return;
  server.setRequestHandler('resources/list', async ({ params }, context) => {
    checkCursor(params?.cursor);
    const [commands, tasks] = await Promise.all([loadCommands(), loadTaskLogs()]);
    const logs = await tasks.listTaskResources(registry, toAccess(context));
    return { resources: [...commands.listResources(registry), ...logs] };
  });
  server.setRequestHandler('resources/templates/list', async ({ params }) => {
    checkCursor(params?.cursor);
    const [commands, { TASK_TEMPLATE }] = await Promise.all([loadCommands(), loadTaskLogs()]);
    const ofTasks = registry.loadTasks ? [TASK_TEMPLATE] : [];
    return { resourceTemplates: [...commands.listTemplates(registry), ...ofTasks] };
  });
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const [{ readCommandResource }, { readTaskResource }] = await Promise.all([
      loadCommands(),
      loadTaskLogs(),
    ]);
    const contents =
      (await readCommandResource(registry, uri, toFacts(context))) ??
      (await readTaskResource(registry, uri, toAccess(context), settings.outputBudgetBytes));
    if (contents) return { contents: contents as never };
    const shown = uri.slice(0, LONGEST_URI);
    throw new ResourceNotFoundError(
      shown,
      `Resource not found: ${JSON.stringify(shown)}. resources/list and resources/templates/list name what there is.`,
    );
  });
}

const LONGEST_URI = 200;

function checkCursor(cursor: string | undefined): void {
  if (cursor === undefined) return;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'Unknown cursor: the list of resources has one page',
  );
}

function toAccess({ http, mcpReq }: ServerContext) {
  return { caller: callerOf(http?.authInfo), signal: mcpReq.signal };
}

function loadCommands() {
  return import('./command-resources.js');
}

function loadTaskLogs() {
  return import('./task-resources.js');
}
