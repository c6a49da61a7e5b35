import type { Answer } from '@mcpify/markers';
import type { Server, ServerContext } from '@modelcontextprotocol/server';

import type { Ask } from '../execution/invocation.js';
import { canBeAsked } from './can-be-asked.js';

/** People take their time: the call's own end is the limit. */
const NO_LIMIT_MS = 2_147_483_647;

/** A client that is gone is not noticed over HTTP, where a lost connection is no cancellation (P39). */
const HTTP_LIMIT_MS = 5 * 60_000;

/** How long an answer is waited for. */
export function answerLimitMs(isHttp: boolean): number {
  return isHttp ? HTTP_LIMIT_MS : NO_LIMIT_MS;
}

/** Asks the client of a connection that was opened by a handshake; undefined where it cannot be asked. */
export function askByRequest(server: Server, { mcpReq, http }: ServerContext): Ask | undefined {
  if (!canBeAsked(server.getClientCapabilities())) return undefined;
  return async ({ message, schema }, signal) => {
    const params = { message, requestedSchema: schema as never };
    const options = { signal, timeout: answerLimitMs(http !== undefined) };
    return (await mcpReq.send({ method: 'elicitation/create', params }, options)) as Answer;
  };
}
