import type { ServerContext } from '@modelcontextprotocol/server';

import type { Registry } from '../registry/registry.js';
import type { AskingCalls } from './ask-in-rounds.js';
import { canBeAsked } from './can-be-asked.js';
import { CLIENT_CAPABILITIES } from './client-capabilities.js';

/**
 * Whether a request of the revision without handshake may be answered with a question. Each request tells; one that
 * goes on with a call belongs to it all the same.
 */
export function mayAsk({ mcpReq }: ServerContext): boolean {
  const { envelope } = mcpReq;
  if (!envelope) return false;
  return (
    mcpReq.requestState() !== undefined ||
    canBeAsked((envelope as Readonly<Record<string, unknown>>)[CLIENT_CAPABILITIES])
  );
}

const asking = new WeakMap<Registry, AskingCalls>();

/** One for all connections: over HTTP each request has its own. Loaded by the first call that may ask. */
export async function askingCalls(registry: Registry): Promise<AskingCalls> {
  const { AskingCalls } = await import('./ask-in-rounds.js');
  const calls = asking.get(registry) ?? new AskingCalls();
  asking.set(registry, calls);
  return calls;
}
