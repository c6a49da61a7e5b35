import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { installPatches } from '../execution/install-patches.js';
import type { McpOptions } from '../options/mcp-options.js';
import { resolveSettings } from '../options/resolve-settings.js';
import { buildRegistry } from '../registry/build-registry.js';
import { createServer } from '../serving/create-server.js';
import { loadProgram } from '../start/load-program.js';
import { entryForTests } from './entry-for-tests.js';

export interface ConnectOptions extends McpOptions {
  /**
   * Protocol of the connection: the handshake of the revisions up to 2025-11-25, or 2026-07-28.
   *
   * @default 'legacy'
   */
  readonly era?: 'legacy' | '2026-07-28';
}

/**
 * Connects a client to a program in this process, without a server process: for an author's own tests.
 *
 * @param program the program (a `Command`), a factory of one, or a module that exports either
 * @param options `cliEntry` must name the script of the CLI where a command runs as a child process
 * @returns a connected client; `client.close()` ends the connection, and the server behind it
 * @throws UsageError as `startMcpServer` would
 */
export async function connectClient(program: unknown, options: ConnectOptions = {}): Promise<Client> {
  const { era = 'legacy', ...mcpOptions } = options;
  installPatches();
  const source = await loadProgram(() => program);
  const first = typeof source === 'function' ? source() : source;
  const settings = resolveSettings(mcpOptions, first);
  const registry = buildRegistry(source, first, settings, entryForTests(settings));
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  serveStdio(({ era }) => createServer(registry, settings, era), { transport: serverSide as never });
  const client = new Client(
    { name: 'mcpify-testing', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: era } } },
  );
  await client.connect(clientSide);
  return withEnd(client, () => registry.close());
}

/** What the server would do at its end: children that calls wait for do not stay. */
function withEnd(client: Client, end: () => Promise<void>): Client {
  const close = client.close.bind(client);
  client.close = async () => {
    await close();
    await end();
  };
  return client;
}
