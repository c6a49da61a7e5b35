import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { attach } from 'mcpify/sdk-v1';

const server = new McpServer({ name: 'shop', version: '1.0.0' }, { capabilities: { logging: {} } });
server.registerTool('hello', { description: 'Says hello.' }, () => ({
  content: [{ type: 'text', text: 'Hello.' }],
}));

await attach(server, () => import('./program.js'));
await server.connect(new StdioServerTransport());
