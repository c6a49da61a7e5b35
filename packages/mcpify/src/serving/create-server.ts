import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Notification,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { Settings } from '../options/mcp-options.js';
import type { Registry } from '../registry/registry.js';
import { answerCall, type CallRequest } from './answer-call.js';
import { askByRequest } from './ask-by-request.js';
import { TASKS_EXTENSION } from './client-capabilities.js';
import { createConnection, type Connection } from './connection.js';
import { callerOf } from './http/caller-of.js';
import { Backlog } from './http/backlog.js';
import { askingCalls, mayAsk } from './may-ask.js';
import { checkTaskSupport, serveNativeTasks, toHandleFor } from './native-tasks.js';
import { showProtoArgument } from './proto-argument.js';
import { serverFacts } from './server-facts.js';
import { serveResources, type RequestFacts } from './serve-resources.js';

/** A CLI's tools do not change while its process lives (protocol.md, section 9). */
const LIST_TTL_MS = 300_000;

/**
 * One connection's server over the fixed registry. Cheap: made once a connection, twice after a probe.
 *
 * @param era of the connection: `modern` is without handshake, as since 2026-07-28
 */
export function createServer(
  registry: Registry,
  settings: Settings,
  era: 'modern' | 'legacy',
  connection: Connection = createConnection(),
): Server {
  const { logGate } = connection;
  const hint = { ttlMs: LIST_TTL_MS, cacheScope: 'public' } as const;
  const { serverInfo, capabilities, ...facts } = serverFacts(registry, settings);
  const hasTasks = era === 'modern' && registry.loadTasks !== undefined;
  const server = new Server(serverInfo, {
    ...facts,
    capabilities: { ...capabilities, ...(hasTasks && { extensions: { [TASKS_EXTENSION]: {} } }) },
    cacheHints: { 'tools/list': hint, 'server/discover': hint, 'resources/templates/list': hint },
  });
  if (registry.loadError !== undefined) serveLoadError(server, registry.loadError);
  if (hasTasks) serveNativeTasks(server, registry, settings);
  const toFacts = (context: ServerContext): RequestFacts => {
    const backlog = new Backlog(context.http?.req);
    return {
      signal: context.mcpReq.signal,
      caller: callerOf(context.http?.authInfo),
      progressToken: context.mcpReq._meta?.progressToken,
      wants: logGate.forCall(context),
      notify(method, params) {
        if (!backlog.takes(params)) return;
        void context.mcpReq.notify({ method, params } as Notification).catch(ignore);
      },
    };
  };
  serveResources(server, registry, settings, toFacts);
  server.setRequestHandler('tools/list', ({ params }) => {
    if (params?.cursor !== undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor: the tool list has one page');
    }
    return { tools: registry.definitions as never };
  });
  server.setRequestHandler('logging/setLevel', ({ params }) => {
    logGate.setLevel(params.level);
    return {};
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = registry.get(params.name);
    if (registry.loadError !== undefined) throw loadFailure(registry.loadError);
    if (!tool) throw unknownTool(params.name, registry);
    checkTaskSupport(tool, context);
    const request: CallRequest = {
      ...toFacts(context),
      toolArguments: showProtoArgument(params.arguments ?? {}),
      connection: context.mcpReq.envelope ? undefined : connection,
      toHandle: toHandleFor(context, settings),
      ask: era === 'legacy' ? askByRequest(server, context) : undefined,
    };
    const result = mayAsk(context)
      ? await (await askingCalls(registry)).answer(tool, request, context)
      : await answerCall(tool, request);
    return result as never;
  });
  return server;
}

function ignore(): void {}

/** Whatever is asked for, the answer is why nothing is there. */
function serveLoadError(server: Server, reason: string): void {
  server.fallbackRequestHandler = () => Promise.reject(loadFailure(reason));
}

function loadFailure(reason: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InternalError, `The program could not be loaded: ${reason}`);
}

function unknownTool(name: string, registry: Registry): ProtocolError {
  const nearest = registry.nearest(name);
  const shown = JSON.stringify(name.slice(0, 100));
  const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(' or ')}?` : '';
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${shown}.${hint}`, { nearest });
}
