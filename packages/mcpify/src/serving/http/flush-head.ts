import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Sends the head of an answer as soon as it is known. Node keeps it back until the first byte behind it, which on a
 * stream may be that of the keep-alive: until then a client cannot tell whether its request has arrived.
 */
export function flushHead(_request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    writeHead(...args);
    // An answer that is there at once leaves in one piece.
    setImmediate(() => {
      if (!response.writableEnded && !response.destroyed) response.flushHeaders();
    });
    return response;
  };
}
