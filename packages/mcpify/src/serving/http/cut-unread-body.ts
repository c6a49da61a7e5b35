import type { IncomingMessage, ServerResponse } from 'node:http';

/** Long enough for the answer to be read; a client that is cut while it sends may never see it. */
const LINGER_MS = 2_000;

/**
 * Ends the connection of a client that has its answer (401, 413) and goes on sending the body that nobody reads: Node
 * would take it all, for as long as a request may last.
 */
export function cutUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    setTimeout(() => {
      if (!request.complete) request.socket.destroy();
    }, LINGER_MS).unref();
  });
}
