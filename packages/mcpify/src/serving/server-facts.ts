import type { Settings } from '../options/mcp-options.js';
import type { Registry } from '../registry/registry.js';

/** What every server can do, on every connection. */
const CAPABILITIES = { tools: {}, logging: {} } as const;

/** Commands that are some, and tasks with their logs. */
export function hasResources({ loadTasks, resources }: Pick<Registry, 'loadTasks' | 'resources'>): boolean {
  return loadTasks !== undefined || resources.length > 0;
}

/** As clients see it; without instructions where none are set, and with resources where there are some. */
export function serverFacts(
  registry: Pick<Registry, 'loadTasks' | 'resources'>,
  { name, version, instructions }: Settings,
) {
  return {
    capabilities: hasResources(registry) ? { ...CAPABILITIES, resources: {} } : CAPABILITIES,
    serverInfo: { name, version },
    ...(instructions !== undefined && instructions !== '' && { instructions }),
  };
}
