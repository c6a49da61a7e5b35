import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';

import type { Registry } from '../../registry/registry.js';
import { addToMcpServer } from './add-to-mcp-server.js';
import { addToServer } from './add-to-server.js';

export type ServerV1 = McpServer | Server;

/**
 * Adds every tool to a server of the v1 SDK that is the user's own, behind the tools that it has.
 *
 * @throws UsageError `DUPLICATE_TOOL`, `INVALID_SETTING`; then none of the tools is added
 */
export function addTools(server: ServerV1, registry: Registry): void {
  if ('registerTool' in server) addToMcpServer(server, registry);
  else addToServer(server, registry);
}
