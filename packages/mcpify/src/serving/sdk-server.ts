import type { Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

import type { Settings } from '../options/mcp-options.js';
import type { Registry } from '../registry/registry.js';
import type { Connection } from './connection.js';
import { createServer } from './create-server.js';

/** Serves a connection by the SDK, in every revision. */
export function serveBySdk(
  registry: Registry,
  settings: Settings,
  connection: Connection,
  wire: Transport,
): { close(): Promise<void> } {
  return serveStdio(({ era }) => createServer(registry, settings, era, connection), { transport: wire });
}
