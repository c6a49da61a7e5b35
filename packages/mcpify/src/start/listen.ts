import { installPatches } from '../execution/install-patches.js';
import { writeStray } from '../execution/stray-output.js';
import { resolveHttp } from '../options/http-options.js';
import type { McpOptions } from '../options/mcp-options.js';
import { checkIsSettings } from '../options/setting-values.js';
import { serveOnHttp, type HttpServing } from '../serving/http/serve-on-http.js';
import type { ProgramLoader } from './load-program.js';
import { enterFolder, prepare } from './serve.js';

/** Loads the program and serves it over HTTP (`serveHttp`). */
export async function listen(load: ProgramLoader, options: McpOptions): Promise<HttpServing> {
  checkIsSettings(options);
  const http = resolveHttp(options.http ?? {});
  installPatches();
  enterFolder(options.cwd);
  const { registry, settings } = await prepare(load, options);
  for (const warning of registry.warnings) writeStray(`mcpify: warning: ${warning}\n`);
  return serveOnHttp(registry, settings, http);
}
