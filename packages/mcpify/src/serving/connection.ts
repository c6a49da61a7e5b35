import { createLogGate, type LogGate } from './log-gate.js';

/** What lasts as long as a connection, or a session over HTTP, of the revisions with a handshake. */
export interface Connection {
  readonly logGate: LogGate;
}

/** The object itself stands for the connection: what is remembered for it goes with it. */
export function createConnection(): Connection {
  return { logGate: createLogGate() };
}
