import type { McpOptions } from '../options/mcp-options.js';
import type { HttpServing } from '../serving/http/serve-on-http.js';
import type { ProgramLoader } from './load-program.js';

export type { HttpServing } from '../serving/http/serve-on-http.js';

/**
 * Serves every marked command of the loaded program over Streamable HTTP. The process stays the caller's: its signals
 * and its end are not touched.
 *
 * @param load loads the module that exports the program
 * @param options `options.http` tells address, token and who may call; loopback by default
 * @returns resolves once the server listens
 * @throws UsageError; whatever the module throws; the system's error where the address cannot be listened on
 */
export async function serveHttp(load: ProgramLoader, options: McpOptions = {}): Promise<HttpServing> {
  const { listen } = await import('./listen.js');
  return listen(load, options);
}
