import type { RunningServer } from '../serving/attach/running-server.js';
import type { AttachOptions } from './guest.js';
import type { ProgramLoader } from './load-program.js';

export type { AttachOptions } from './guest.js';

/**
 * Adds every marked command of the loaded program to a running `McpServer` of the v2 SDK, next to its own tools. The process, its descriptors and its end stay the server's (docs/attach.md).
 *
 * @param server before or after `connect`; after it, only a server that has declared tools
 * @param load loads the module that exports the program
 * @param options those of `startMcpServer` that concern tools
 * @returns resolves once the tools are listed
 * @throws UsageError, `DUPLICATE_TOOL` for a name that the server has; whatever the module throws
 */
export async function attach(
  server: RunningServer,
  load: ProgramLoader,
  options: AttachOptions = {},
): Promise<void> {
  const { registryForGuest } = await import('./guest.js');
  const registry = await registryForGuest(load, options);
  const { addTools } = await import('../serving/attach/add-tools.js');
  addTools(server, registry);
}
