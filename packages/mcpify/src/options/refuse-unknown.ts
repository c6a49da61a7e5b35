import { UsageError } from '../errors/usage-error.js';
import { nearestNames } from '../schema/nearest-names.js';

/**
 * Refuses a key that nothing reads: silently without effect, it would be a hole in what it was to limit or hide.
 *
 * @param what the thing that has the keys, for the message: `setting`, `McpTool of command "app list"`
 * @throws UsageError `INVALID_SETTING`
 */
export function refuseUnknown(given: object, known: readonly string[], what: (key: string) => string): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const near = nearestNames(key, known);
    const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
    throw new UsageError('INVALID_SETTING', `${what(key)}.${hint} Known: ${known.join(', ')}.`);
  }
}
