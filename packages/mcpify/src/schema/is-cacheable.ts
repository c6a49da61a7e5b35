import type { ValueShape } from './command-model.js';
import type { ParameterDescription } from './parameter-description.js';

/** How a server remembers option values; undefined where it remembers none. */
export interface CacheFacts {
  /** Boolean flags, too (`McpOptions.cacheFlags`). */
  readonly flags: boolean;
}

/**
 * Whether the session remembers an option's value (api.md): that of an option that takes one, of a flag where author
 * or operator say so, so that a `--force` never travels; of a secret never.
 *
 * @param hasAuthorSchema whether the tool's schema is written by hand: it tells nothing of a session by itself
 */
export function isCacheable(
  shape: ValueShape,
  secret: boolean,
  described: ParameterDescription | undefined,
  hasAuthorSchema: boolean,
  facts: CacheFacts | undefined,
): boolean {
  if (!facts || secret) return false;
  if (described?.cache !== undefined) return described.cache;
  if (hasAuthorSchema) return false;
  return facts.flags || (shape.kind !== 'flag' && shape.kind !== 'counter');
}
