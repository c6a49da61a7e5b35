import { isRecord } from './json-rpc.js';

/** Whether a client with these capabilities shows a question with a form. One that names no mode does. */
export function canBeAsked(capabilities: unknown): boolean {
  const elicitation = isRecord(capabilities) ? capabilities['elicitation'] : undefined;
  return isRecord(elicitation) && ('form' in elicitation || !('url' in elicitation));
}
