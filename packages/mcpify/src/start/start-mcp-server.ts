import { claimDescriptors, type ProtocolStreams } from '../child-process/claim-descriptors.js';
import { UsageError } from '../errors/usage-error.js';
import type { McpOptions } from '../options/mcp-options.js';
import type { ProgramLoader } from './load-program.js';

/** `--port` without `--http` is not served on stdio in silence: its author waits for a port. */
const OF_HTTP = /^--(?:http|host|port|token-env)(?:=|$)/;

/** One process is one server: its descriptors, signals and end are that of the first call. */
let claiming: Promise<ProtocolStreams | { readonly error: unknown }> | undefined;

/**
 * Serves every marked command of the loaded program as an MCP tool: on stdio until the client leaves, or over HTTP
 * where the process was started with `--http`. What the author must mend (`UsageError`), or a program that fails to
 * load, is told on stderr, and the process ends with exit code 1.
 *
 * @param load loads the module that exports the program; nothing of it is loaded before the protocol is safe
 * @returns resolves once the server is connected, or listens
 * @throws UsageError `INVALID_SETTING` when it is called a second time in one process
 */
export async function startMcpServer(load: ProgramLoader, options: McpOptions = {}): Promise<void> {
  if (claiming) {
    await claiming;
    throw calledTwice();
  }
  const args = process.argv.slice(2);
  if (args.some((argument) => OF_HTTP.test(argument))) {
    const { serveHttpFromCommandLine } = await import('./http-command.js');
    return serveHttpFromCommandLine(load, options, args);
  }
  // The process that only starts this script anew ends here: it must not load what it does not need.
  claiming = claimDescriptors().catch((error: unknown) => ({ error }));
  const claim = await claiming;
  const { serve } = await import('./serve.js');
  await serve(load, options, claim);
}

function calledTwice(): UsageError {
  return new UsageError(
    'INVALID_SETTING',
    'startMcpServer was called a second time, and one process is one server. Give each server a script of its own.',
  );
}
