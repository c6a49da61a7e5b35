import type { Settings } from '../options/mcp-options.js';
import type { CommandModel, Control } from '../schema/command-model.js';
import type { CacheFacts } from '../schema/is-cacheable.js';
import { createCacheTools } from '../tools/cache-tools.js';
import type { CommandRunner } from '../tools/run-commands.js';
import type { Tool } from '../tools/tool.js';

/** What commands are read with: whether option values are remembered, and of which kind. */
export function toCacheFacts({ sessionCache, controlParams, cacheFlags }: Settings): CacheFacts | undefined {
  // Without the parameter nobody could name a handle.
  const isOff = sessionCache === 'off' || (sessionCache === 'handle' && controlParams.session === false);
  return isOff ? undefined : { flags: cacheFlags };
}

/** The session's parameters: a handle has no place where connections alone are sessions. */
export function sessionControls({ sessionCache }: Settings): readonly Control[] {
  return sessionCache === 'connection' ? ['nocache'] : ['nocache', 'session'];
}

/** `cache_show` and `cache_clear`, where any option is remembered (B2.2). */
export function sessionTools(
  models: readonly CommandModel[],
  settings: Settings,
  loadRunner: () => Promise<CommandRunner>,
): readonly Tool[] {
  if (!models.some(({ parameters }) => parameters.some(({ cacheable }) => cacheable))) return [];
  const { sessionCache, controlParams } = settings;
  const name = controlParams.session ?? 'session';
  const aside = controlParams.nocache ?? 'nocache';
  return createCacheTools({
    sessionParameter: sessionCache === 'connection' || name === false ? undefined : name,
    asideParameter: aside === false ? undefined : aside,
    loadSessions: async () => (await loadRunner()).sessions,
  });
}
