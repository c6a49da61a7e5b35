import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { attach } from 'mcpify';

serveStdio(async () => {
  const server = new McpServer({ name: 'shop', version: '1.0.0' }, { capabilities: { logging: {} } });
  await attach(server, () => import('./program.js'));
  return server;
});
