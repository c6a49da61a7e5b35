import type { ServerContext } from '@modelcontextprotocol/server';

import type { LogLevel } from '../execution/invocation.js';

/** Lowest first. */
export const LOG_LEVELS: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** Until a client asks for more (P36): its choice is its own, and every line is in the result anyway. */
const UNASKED_LEVEL: LogLevel = 'warning';

/** In `_meta` of a request (P36). */
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** Which log messages of a call the client wants. */
export interface LogGate {
  /** `logging/setLevel`, one level a connection. */
  setLevel(level: LogLevel): void;
  /** On a connection opened by a handshake. */
  readonly wants: (level: LogLevel) => boolean;
  /** Asked once a call. Since 2026-07-28 each request tells its own level; one that tells none gets no log message. */
  forCall(context: ServerContext): (level: LogLevel) => boolean;
}

export function createLogGate(): LogGate {
  let lowest = LOG_LEVELS.indexOf(UNASKED_LEVEL);
  const wants = (level: LogLevel) => LOG_LEVELS.indexOf(level) >= lowest;
  return {
    setLevel(level) {
      lowest = LOG_LEVELS.indexOf(level);
    },
    wants,
    forCall({ mcpReq: { envelope } }) {
      if (!envelope) return wants;
      const level = (envelope as Readonly<Record<string, unknown>>)[LOG_LEVEL];
      const asked = LOG_LEVELS.indexOf(level as LogLevel);
      return (each) => asked >= 0 && LOG_LEVELS.indexOf(each) >= asked;
    },
  };
}
