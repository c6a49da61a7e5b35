import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ToolSchema } from '@modelcontextprotocol/sdk/types.js';

import type { Registry } from '../../registry/registry.js';
import type { JsonSchema } from '../../schema/json-schema.js';
import { answerHost } from '../attach/answer-host.js';
import { registerAll } from '../attach/register-all.js';
import { toHostCall, type Extra } from './host-call.js';

export function addToMcpServer(server: McpServer, registry: Registry): void {
  registerAll(registry, (tool) => {
    const { name, inputSchema, outputSchema, ...shown } = tool.definition;
    return server.registerTool(
      name,
      {
        ...shown,
        annotations: { ...shown.annotations },
        inputSchema: unchecked(inputSchema),
        ...(outputSchema && { outputSchema: unchecked(outputSchema) }),
      },
      async (toolArguments: Readonly<Record<string, unknown>>, extra: Extra) =>
        (await answerHost(tool, toHostCall(server.server, toolArguments, extra))) as never,
    );
  });
}

/**
 * An object of zod's, as `registerTool` asks for, that takes every property and is shown as the schema that we have:
 * zod could not say all of it, and would refuse in words of its own what the call can still read (flag spellings). It
 * is made from one of the SDK's own, so that it is of the zod that the SDK asks.
 */
function unchecked(schema: JsonSchema) {
  const anyObject = ToolSchema.shape.inputSchema.pick({});
  anyObject._zod.toJSONSchema = () => ({ ...schema });
  return anyObject;
}
