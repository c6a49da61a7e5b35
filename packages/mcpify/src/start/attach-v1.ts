import { addTools, type ServerV1 } from '../serving/sdk-v1/add-tools.js';
import { registryForGuest, type AttachOptions } from './guest.js';
import type { ProgramLoader } from './load-program.js';

/**
 * Adds every marked command of the loaded program to a running `McpServer` or `Server` of the v1 SDK, next to its own
 * tools. The process, its descriptors and its end stay the server's (docs/attach.md).
 *
 * @param server before or after `connect`; after it, only a server that has declared tools
 * @param load loads the module that exports the program
 * @param options those of `startMcpServer` that concern tools
 * @returns resolves once the tools are listed
 * @throws UsageError, `DUPLICATE_TOOL` for a name that the server has; whatever the module throws
 */
export async function attach(
  server: ServerV1,
  load: ProgramLoader,
  options: AttachOptions = {},
): Promise<void> {
  addTools(server, await registryForGuest(load, options));
}
