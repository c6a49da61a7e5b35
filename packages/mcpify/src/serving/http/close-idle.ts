import type { Server } from 'node:http';

/**
 * Once the server is closed, ends each connection behind the answer that was in flight on it: its client keeps it for the
 * next request, and the server would wait for it.
 */
export function closeIdleWhenClosed(server: Server): void {
  server.prependListener('request', (_request, response) => {
    response.once('close', () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
  });
}
