import { createServer as createNodeServer, type RequestListener, type Server as NodeServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createMcpHandler, isLegacyRequest, oauthMetadataResponse } from '@modelcontextprotocol/server';
import { toNodeHandler } from 'srvx/node';

import { UsageError } from '../../errors/usage-error.js';
import { writeStray } from '../../execution/stray-output.js';
import type { HttpSettings } from '../../options/http-options.js';
import type { Settings } from '../../options/mcp-options.js';
import type { Registry } from '../../registry/registry.js';
import { MODERN_VERSIONS } from '../check-request.js';
import { createServer } from '../create-server.js';
import { INVALID_REQUEST } from '../json-rpc.js';
import { hideProtoArgument } from '../proto-argument.js';
import { logAccess } from './access-log.js';
import { createCallerCheck } from './check-caller.js';
import { checkMessage } from './check-message.js';
import { checkParamHeaders } from './check-param-headers.js';
import { checkScope } from './check-scope.js';
import { closeIdleWhenClosed } from './close-idle.js';
import { cutUnreadBody } from './cut-unread-body.js';
import { flushHead } from './flush-head.js';
import { OldEraSessions } from './old-era-sessions.js';
import { readBody, refusal } from './read-body.js';
import { withWellFormedAnswers } from './well-formed-answers.js';

/** Where the protocol is served; everything else is 404. */
const MCP_PATH = '/mcp';

/** How long requests in flight may go on when the server is closed. */
const DRAIN_MS = 5_000;

/** A client that sends a byte a second holds a socket for so long, and nothing else. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  /** Body and headers. */
  requestTimeout: 30_000,
  /** Node looks every 30 s by itself, so that each limit would be up to 30 s longer. */
  connectionsCheckingInterval: 1_000,
  /** After Node's own 5 s busy clients and proxies, which keep theirs for 60 s, still send: to a socket that is closing. */
  keepAliveTimeout: 75_000,
};

export interface HttpServing {
  /** What clients are given: `http://127.0.0.1:49152/mcp`. */
  readonly url: string;
  /** Takes no more requests, lets those in flight end for up to 5 s, then cuts them. */
  close(): Promise<void>;
}

/**
 * Serves any number of clients over Streamable HTTP: 2026-07-28 request by request, older revisions with sessions.
 *
 * @returns resolves once the server listens
 */
export async function serveOnHttp(
  registry: Registry,
  settings: Settings,
  http: HttpSettings,
): Promise<HttpServing> {
  const create = (era: 'modern' | 'legacy') => withWellFormedAnswers(createServer(registry, settings, era));
  const newEra = createMcpHandler(() => create('modern'), { legacy: 'reject' });
  const oldEra = new OldEraSessions(() => create('legacy'));
  const checkCaller = createCallerCheck(http);
  const serve = async (request: Request): Promise<Response> => {
    const caller = await checkCaller(request);
    if (caller instanceof Response) return caller;
    if (request.method !== 'POST') {
      // Since 2026-07-28 there is nothing but POST, and before it nothing without a session.
      const isOfSession = request.headers.has('mcp-session-id') && !isModernClient(request);
      return isOfSession ? oldEra.handle(request, undefined, caller) : notAllowed();
    }
    const body = await readBody(request);
    if (body instanceof Response) return body;
    const parsedBody = hideProtoArgument(body.json);
    const missingScope = checkScope(parsedBody, caller, registry, http.oauth);
    if (missingScope) return missingScope;
    if (await isLegacyRequest(request, parsedBody)) return oldEra.handle(request, parsedBody, caller);
    const refused = checkParamHeaders(request, parsedBody, registry) ?? checkMessage(parsedBody);
    if (refused) return refused;
    return newEra.fetch(request, { parsedBody, ...(caller && { authInfo: caller }) });
  };
  const route = (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === MCP_PATH) return serve(request);
    return routeBeside(request, pathname, http);
  };
  const answer = toNodeHandler(logAccess(route, writeStray)) as unknown as RequestListener;
  const server = createNodeServer(TIMEOUTS, answer);
  server.prependListener('request', cutUnreadBody);
  server.prependListener('request', flushHead);
  closeIdleWhenClosed(server);
  const url = await listen(server, http);
  return {
    url,
    async close() {
      const isClosed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      await oldEra.close(DRAIN_MS);
      await isClosed;
      await registry.close();
      clearTimeout(timer);
      await newEra.close();
    },
  };
}

function isModernClient({ headers }: Request): boolean {
  return MODERN_VERSIONS.includes(headers.get('mcp-protocol-version') ?? '');
}

function notAllowed(): Response {
  const response = refusal(405, INVALID_REQUEST, 'Method not allowed: send messages by POST');
  response.headers.set('Allow', 'POST');
  return response;
}

/** Nothing here tells what the server serves, or to whom. */
function routeBeside(request: Request, pathname: string, http: HttpSettings): Response {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (pathname === '/healthz' && isRead) return Response.json({ status: 'ok' });
  const metadata =
    http.oauth &&
    oauthMetadataResponse(request, {
      oauthMetadata: http.oauth.authorizationServer as never,
      resourceServerUrl: new URL(http.oauth.resource),
      scopesSupported: [...(http.oauth.scopesSupported ?? http.oauth.requiredScopes ?? [])],
    });
  return metadata ?? refusal(404, INVALID_REQUEST, `Not found: MCP is served at ${MCP_PATH}`);
}

function listen(server: NodeServer, { host, port }: HttpSettings): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)));
    server.listen(port, host, () => {
      const { port: chosen, family, address } = server.address() as AddressInfo;
      const shown = family === 'IPv6' ? `[${address}]` : address;
      resolve(`http://${shown}:${chosen}${MCP_PATH}`);
    });
  });
}

function cannotListen({ code, message }: NodeJS.ErrnoException, host: string, port: number): UsageError {
  const reason = code === 'EADDRINUSE' ? 'another process has that port' : message;
  return new UsageError(
    'INVALID_SETTING',
    `Cannot listen on ${host}, port ${port}: ${reason}. Choose another host or port; port 0 takes a free one.`,
  );
}
