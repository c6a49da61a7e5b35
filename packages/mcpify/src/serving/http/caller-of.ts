import type { AuthInfo } from '@modelcontextprotocol/server';

/** Whose tasks and sessions a request may see; undefined where callers are not told apart. */
export function callerOf(authInfo: AuthInfo | undefined): string | undefined {
  if (!authInfo) return undefined;
  const subject = authInfo.extra?.['subject'];
  return typeof subject === 'string' ? subject : authInfo.clientId;
}
