import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  ElicitResultSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';

import type { Ask, LogLevel } from '../../execution/invocation.js';
import { answerLimitMs } from '../ask-by-request.js';
import { canBeAsked } from '../can-be-asked.js';
import type { HostCall } from '../attach/answer-host.js';

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Not in the SDK's types: whether the client has asked for less. */
interface LogLevels {
  isMessageIgnored?(level: LogLevel, sessionId?: string): boolean;
}

export function toHostCall(
  server: Server,
  toolArguments: Readonly<Record<string, unknown>>,
  extra: Extra,
): HostCall {
  const { signal, authInfo, sessionId } = extra;
  return {
    toolArguments,
    signal,
    authInfo,
    connection: server.transport ?? server,
    progressToken: extra._meta?.progressToken,
    ask: askOnStream(server, extra),
    // On the stream of the request: over HTTP the server's own method would use another one. It fails where the
    // server has not declared that it logs.
    async log(level, logger, data) {
      if ((server as unknown as LogLevels).isMessageIgnored?.(level, sessionId)) return;
      await extra.sendNotification({ method: 'notifications/message', params: { level, logger, data } });
    },
    progress: (params) => extra.sendNotification({ method: 'notifications/progress', params } as never),
  };
}

function askOnStream(server: Server, { sendRequest, requestInfo }: Extra): Ask | undefined {
  if (!canBeAsked(server.getClientCapabilities())) return undefined;
  return async ({ message, schema }, signal) => {
    const params = { message, requestedSchema: schema as never };
    const options = { signal, timeout: answerLimitMs(requestInfo !== undefined) };
    return sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema, options) as never;
  };
}
