import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
} from '@modelcontextprotocol/server';

import type { OAuthOptions } from '../../options/http-options.js';
import type { Registry } from '../../registry/registry.js';
import { findResource } from '../find-resource.js';

/**
 * 403 with the scopes to ask for, where a call, or the command that a resource is read by, needs a scope (`McpScope`)
 * that the token does not hold. Without OAuth there are no scopes.
 */
export function checkScope(
  parsedBody: unknown,
  caller: AuthInfo | undefined,
  registry: Registry,
  oauth: OAuthOptions | undefined,
): Response | undefined {
  if (!oauth || !caller) return undefined;
  const messages: unknown[] = Array.isArray(parsedBody) ? parsedBody : [parsedBody];
  const scopes = messages.flatMap((message) => scopeOf(message, registry) ?? []);
  if (scopes.every((scope) => caller.scopes.includes(scope))) return undefined;
  const error = new OAuthError(OAuthErrorCode.InsufficientScope, `Needs the scope ${scopes.join(' ')}`);
  return bearerAuthChallengeResponse(error, {
    requiredScopes: [...new Set([...(oauth.requiredScopes ?? []), ...scopes])],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(new URL(oauth.resource)),
  });
}

function scopeOf(message: unknown, registry: Registry): string | undefined {
  const { method, params } = (message ?? {}) as {
    method?: unknown;
    params?: { name?: unknown; uri?: unknown };
  };
  if (method === 'tools/call' && typeof params?.name === 'string') return registry.get(params.name)?.scope;
  if (method !== 'resources/read' || typeof params?.uri !== 'string') return undefined;
  return findResource(registry.resources, params.uri)?.resource.tool.scope;
}
