import { isRecord } from './json-rpc.js';

/** Where a request without handshake tells what its client can. */
export const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** The extension's name, among the capabilities of both sides (protocol.md, section 7). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** `data` of the error -32021 for a request that makes no sense without the extension. */
export const NEEDS_TASKS = { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } } as const;

/** Whether a request with this `_meta` may be answered with a task: what earlier ones said does not count. */
export function declaresTasks(meta: unknown): boolean {
  const capabilities = isRecord(meta) ? meta[CLIENT_CAPABILITIES] : undefined;
  const extensions = isRecord(capabilities) ? capabilities['extensions'] : undefined;
  return isRecord(extensions) && isRecord(extensions[TASKS_EXTENSION]);
}

/** In words that name the way out. */
export function describeMissingTasks(about: string): string {
  return `${about}: this request must declare the extension ${TASKS_EXTENSION} in its client capabilities`;
}
