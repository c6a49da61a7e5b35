import type { McpOptions } from '../options/mcp-options.js';
import { resolveSettings } from '../options/resolve-settings.js';
import { buildRegistry } from '../registry/build-registry.js';
import { loadProgram } from '../start/load-program.js';

/**
 * The tool list as text, for a golden file: what clients will see changes only where the test says so.
 *
 * @param program the program (a `Command`), a factory of one, or a module that exports either
 * @returns JSON of all tool definitions, in their order, indented by two
 * @throws UsageError as `startMcpServer` would
 */
export async function toolListSnapshot(program: unknown, options: McpOptions = {}): Promise<string> {
  const source = await loadProgram(() => program);
  const first = typeof source === 'function' ? source() : source;
  // Nothing is run here: no script is needed.
  const findEntry = () => '';
  const { definitions } = buildRegistry(source, first, resolveSettings(options, first), findEntry);
  return `${JSON.stringify(definitions, null, 2)}\n`;
}
