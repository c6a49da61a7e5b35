import { randomUUID } from 'node:crypto';

import { refusal } from './read-body.js';

type Route = (request: Request) => Response | Promise<Response>;

/**
 * One line for each request, with an id that the answer carries too (`X-Request-Id`). Neither query, headers nor body
 * are in it: they may hold secrets.
 */
export function logAccess(
  route: Route,
  write: (line: string) => void,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const requestId = randomUUID();
    const startedAt = performance.now();
    const pathname = pathOf(request);
    const response = pathname === undefined ? noAddress() : await answer(route, request);
    const elapsedMs = Math.round(performance.now() - startedAt);
    write(
      `mcpify: ${requestId} ${request.method} ${shown(pathname ?? '?')} ${response.status} ${elapsedMs} ms\n`,
    );
    const headers = new Headers(response.headers);
    headers.set('X-Request-Id', requestId);
    const { status, statusText } = response;
    return new Response(response.body, { status, statusText, headers });
  };
}

function noAddress(): Response {
  return refusal(400, -32_600, 'The Host header is no address');
}

/** Undefined where the `Host` header makes no address, such as one with port 99999: that is no reason for silence. */
function pathOf(request: Request): string | undefined {
  try {
    return new URL(request.url).pathname;
  } catch {
    return undefined;
  }
}

async function answer(route: Route, request: Request): Promise<Response> {
  try {
    return await route(request);
  } catch {
    // A client that left in the middle of its body, or a fault of ours: nobody else's request feels it.
    return refusal(500, -32_603, 'Internal error');
  }
}

/** A path is whatever a client sent: control characters are encoded by `URL`, length is not bounded. */
function shown(pathname: string): string {
  return pathname.length > 100 ? `${pathname.slice(0, 100)}…` : pathname;
}
