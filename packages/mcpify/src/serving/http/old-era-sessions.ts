import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';

import {
  type AuthInfo,
  isInitializeRequest,
  type LegacyHttpHandler,
  legacyStatelessFallback,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

import { oldestOfGreediest } from '../../session/make-room.js';
import { callerOf } from './caller-of.js';
import { checkMessage } from './check-message.js';
import { refusal } from './read-body.js';
import { RequestsInFlight } from './requests-in-flight.js';

/** A session that nobody used for so long is closed; its client starts a new one (404). */
const IDLE_MS = 30 * 60_000;

/** The one unused for the longest makes room, among those of whoever has the most. */
const MOST_SESSIONS = 1_000;

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Whoever opened it: a session id is a name, not a permission (P33). */
  readonly caller: string | undefined;
  lastUsedAtMs: number;
  openRequests: number;
  readonly inFlight: RequestsInFlight;
}

/**
 * Clients of the revisions with a handshake: a session from `initialize` to `DELETE`, for what lasts longer than a
 * request (log level, option cache). A request without session id is served by itself.
 */
export class OldEraSessions {
  /** Least recently used first. */
  private readonly sessions = new Map<string, Session>();
  private readonly serveAlone: LegacyHttpHandler;

  constructor(private readonly createServer: () => Server) {
    this.serveAlone = legacyStatelessFallback(createServer);
  }

  async handle(request: Request, parsedBody: unknown, authInfo: AuthInfo | undefined): Promise<Response> {
    const options = { parsedBody, ...(authInfo && { authInfo }) };
    const id = request.headers.get('mcp-session-id');
    const refused = checkMessage(parsedBody);
    if (id === null) {
      if (refused) return refused;
      return isOpening(parsedBody)
        ? this.open(request, parsedBody, authInfo)
        : this.serveOnce(request, parsedBody, options);
    }
    const session = this.find(id, callerOf(authInfo));
    if (!session) return refusal(404, -32_001, 'Session not found: initialize again');
    if (refused) return refused;
    const taken = session.inFlight.begin(parsedBody);
    if (taken !== undefined) return refuseId(taken);
    session.openRequests += 1;
    try {
      const response = await session.transport.handleRequest(request, options);
      // By its headers, before anything of it is read.
      if (!response.ok) session.inFlight.refuse(parsedBody);
      endCutStreams(session);
      return response;
    } finally {
      session.openRequests -= 1;
    }
  }

  private serveOnce(request: Request, parsedBody: unknown, options: object): Promise<Response> {
    const taken = new RequestsInFlight().begin(parsedBody);
    return taken === undefined ? this.serveAlone(request, options) : Promise.resolve(refuseId(taken));
  }

  /** Closes every session: its requests in flight have so long to be answered, streams that wait end. */
  async close(drainMs: number): Promise<void> {
    const sessions = [...this.sessions.values()];
    const answered = new AbortController();
    const isDrained = Promise.all(sessions.map(({ inFlight }) => inFlight.whenEmpty()));
    const limit = setTimeout(drainMs, undefined, { signal: answered.signal }).catch(() => {});
    await Promise.race([isDrained, limit]);
    answered.abort();
    // The last answer is on its way to the stream that is closed here.
    await setImmediate();
    await Promise.all(sessions.map(({ transport }) => transport.close()));
    this.sessions.clear();
  }

  private async open(
    request: Request,
    parsedBody: unknown,
    authInfo: AuthInfo | undefined,
  ): Promise<Response> {
    this.makeRoom();
    const inFlight = new RequestsInFlight();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        const caller = callerOf(authInfo);
        this.sessions.set(id, { transport, caller, lastUsedAtMs: Date.now(), openRequests: 0, inFlight });
      },
      onsessionclosed: (id) => {
        this.sessions.delete(id);
      },
    });
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      try {
        await send(message, options);
      } finally {
        inFlight.notice(message);
        endCutStreams({ transport, inFlight });
      }
    };
    await this.createServer().connect(transport);
    return transport.handleRequest(request, { parsedBody, ...(authInfo && { authInfo }) });
  }

  private find(id: string, caller: string | undefined): Session | undefined {
    const session = this.sessions.get(id);
    if (!session || session.caller !== caller) return undefined;
    session.lastUsedAtMs = Date.now();
    this.sessions.delete(id);
    this.sessions.set(id, session);
    return session;
  }

  private makeRoom(): void {
    const earliest = Date.now() - IDLE_MS;
    const idle = [...this.sessions].filter(([, each]) => each.openRequests === 0 && each.inFlight.isEmpty);
    for (const [id, { lastUsedAtMs }] of idle) if (lastUsedAtMs < earliest) this.drop(id);
    if (this.sessions.size < MOST_SESSIONS) return;
    const held = idle.flatMap(([id, { caller }]) => (this.sessions.has(id) ? [[id, caller] as const] : []));
    const id = oldestOfGreediest(held);
    if (id !== undefined) this.drop(id);
  }

  private drop(id: string): void {
    const session = this.sessions.get(id);
    this.sessions.delete(id);
    void session?.transport.close();
  }
}

/** Whoever has cancelled a call waits for no answer; its connection is free for another. */
function endCutStreams({ transport, inFlight }: Pick<Session, 'transport' | 'inFlight'>): void {
  for (const id of inFlight.takeCut()) transport.closeSSEStream(id);
}

function isOpening(parsedBody: unknown): boolean {
  const messages = Array.isArray(parsedBody) ? parsedBody : [parsedBody];
  return messages.some(isInitializeRequest);
}

function refuseId(id: string | number): Response {
  return refusal(400, -32_600, `Invalid request: id ${JSON.stringify(id)} waits for its answer already`);
}
