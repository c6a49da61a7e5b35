import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolRequest,
  type ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js';

import { UsageError } from '../../errors/usage-error.js';
import type { Registry } from '../../registry/registry.js';
import { answerHost } from '../attach/answer-host.js';
import { connectedTooEarly, nameTaken } from '../attach/register-all.js';
import { toHostCall } from './host-call.js';
import { HostNames, type Handler } from './host-names.js';

/** Not in the SDK's types: it has no other way to what a server answers with so far. */
interface Handlers {
  readonly _requestHandlers?: Map<string, Handler>;
}

/**
 * Puts the tools behind those of the server's own handlers, also where these are set later: the user's tools answer
 * every name that is not one of ours.
 */
export function addToServer(server: Server, registry: Registry): void {
  const handlers = handlersOf(server);
  if (!handlers.has('tools/list')) declareTools(server);
  const ours = new WeakSet<Handler>();
  const names = new HostNames(registry);
  const wrap = (method: keyof typeof WRAPPERS) => {
    const present = handlers.get(method);
    if (present && ours.has(present)) return;
    if (method === 'tools/list') names.list = present;
    const wrapped = WRAPPERS[method]({ server, registry, names }, present);
    ours.add(wrapped);
    handlers.set(method, wrapped);
  };
  wrap('tools/list');
  wrap('tools/call');
  const setRequestHandler = server.setRequestHandler.bind(server) as (...args: unknown[]) => void;
  (server as { setRequestHandler: unknown }).setRequestHandler = (...args: unknown[]) => {
    setRequestHandler(...args);
    wrap('tools/list');
    wrap('tools/call');
  };
}

interface Host {
  readonly server: Server;
  readonly registry: Registry;
  readonly names: HostNames;
}

const WRAPPERS = { 'tools/list': listBehind, 'tools/call': callBeside };

/** Ours stand behind the last page of the server's own. */
function listBehind({ registry, names }: Host, own: Handler | undefined): Handler {
  return async (request, extra) => {
    const page = ((await own?.(request, extra)) ?? { tools: [] }) as ListToolsResult;
    const clash = names.note(page);
    if (clash !== undefined) throw nameTaken(clash);
    return page.nextCursor === undefined
      ? { ...page, tools: [...page.tools, ...registry.definitions] }
      : page;
  };
}

function callBeside({ server, registry, names }: Host, own: Handler | undefined): Handler {
  return async (request, extra) => {
    const { name } = (request as { params?: { name?: string } }).params ?? {};
    const tool = typeof name === 'string' ? registry.get(name) : undefined;
    if (!tool && own) return own(request, extra);
    const { params } = CallToolRequestSchema.parse(request) as CallToolRequest;
    if (tool && (await names.isTaken(params.name, extra))) throw nameTaken(params.name);
    if (tool) return answerHost(tool, toHostCall(server, params.arguments ?? {}, extra));
    throw Object.assign(new Error(`Unknown tool: ${JSON.stringify(params.name.slice(0, 100))}`), {
      code: -32_602,
    });
  };
}

function declareTools(server: Server): void {
  try {
    // Throws where the client has been told otherwise already.
    server.registerCapabilities({ tools: {} });
  } catch (error) {
    try {
      // A server that declared its tools at the start may still get their handlers.
      server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
    } catch {
      throw connectedTooEarly(error);
    }
  }
}

function handlersOf(server: Server): Map<string, Handler> {
  const { _requestHandlers: handlers } = server as unknown as Handlers;
  if (handlers instanceof Map) return handlers;
  throw new UsageError(
    'INVALID_SETTING',
    'The handlers of this server cannot be found: attach takes an McpServer or a Server of @modelcontextprotocol/sdk 1.',
  );
}
