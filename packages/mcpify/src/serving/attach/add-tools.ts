import type { McpServer, ServerContext, StandardSchemaWithJSON } from '@modelcontextprotocol/server';

import type { Registry } from '../../registry/registry.js';
import type { JsonSchema } from '../../schema/json-schema.js';
import { askByRequest } from '../ask-by-request.js';
import { askingCalls, mayAsk } from '../may-ask.js';
import { answerHost, type HostCall } from './answer-host.js';
import { registerAll } from './register-all.js';
import type { RunningServer } from './running-server.js';

/**
 * Registers every tool with a server of the v2 SDK that is the user's own, behind the tools that it has.
 *
 * @throws UsageError `DUPLICATE_TOOL`, `INVALID_SETTING`; then none of the tools is added
 */
export function addTools(running: RunningServer, registry: Registry): void {
  const server = running as unknown as McpServer;
  registerAll(registry, (tool) => {
    const { name, inputSchema, outputSchema, ...shown } = tool.definition;
    return server.registerTool(
      name,
      {
        ...shown,
        inputSchema: unchecked(inputSchema),
        ...(outputSchema && { outputSchema: unchecked(outputSchema) }),
      },
      async (toolArguments, context) => {
        const call = toHostCall(server, toolArguments, context);
        if (!mayAsk(context)) return (await answerHost(tool, call)) as never;
        const calls = await askingCalls(registry);
        const answer = await answerHost(tool, call, (...asked) => calls.answer(...asked, context));
        return answer as never;
      },
    );
  });
}

/** Shown as it is. Values are checked by the call: flag spellings, nearest names, words that the model can act on. */
function unchecked(schema: JsonSchema): StandardSchemaWithJSON<Readonly<Record<string, unknown>>> {
  const shown = () => schema as Record<string, unknown>;
  return {
    '~standard': {
      version: 1,
      vendor: 'mcpify',
      jsonSchema: { input: shown, output: shown },
      validate: (value) => ({ value: value as Readonly<Record<string, unknown>> }),
    },
  };
}

function toHostCall(
  { server }: McpServer,
  toolArguments: Readonly<Record<string, unknown>>,
  context: ServerContext,
): HostCall {
  const { mcpReq, http } = context;
  return {
    toolArguments,
    signal: mcpReq.signal,
    authInfo: http?.authInfo,
    connection: mcpReq.envelope ? undefined : (server.transport ?? server),
    progressToken: mcpReq._meta?.progressToken,
    ask: mcpReq.envelope ? undefined : askByRequest(server, context),
    // It looks itself at what the client has asked for.
    log: (level, logger, data) => mcpReq.log(level, data, logger),
    progress: (params) => mcpReq.notify({ method: 'notifications/progress', params } as never),
  };
}
