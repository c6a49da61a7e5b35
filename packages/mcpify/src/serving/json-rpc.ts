import { isNestedTooDeep, MOST_LEVELS } from '../result/nesting.js';

/** JSON-RPC messages by their outer shape: all that the transport needs to know of them. */
export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RpcId;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface RpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface RpcResponse {
  readonly jsonrpc: '2.0';
  readonly id?: RpcId | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

export type RpcId = string | number;

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;

export function isRequest(message: RpcMessage): message is RpcRequest {
  return 'method' in message && 'id' in message;
}

export function isResponse(message: RpcMessage): message is RpcResponse {
  return !('method' in message);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isId(value: unknown): value is RpcId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/**
 * Why a parsed JSON value is no JSON-RPC message (P5, P6); undefined where it is one.
 *
 * @returns with `id` where the sender waits for an answer under it
 */
export function findFault(value: unknown): { readonly reason: string; readonly id?: RpcId } | undefined {
  if (!isRecord(value) || value['jsonrpc'] !== '2.0') return { reason: 'not a JSON-RPC 2.0 message' };
  const { id, method, params } = value;
  const asked = isId(id) ? { id } : {};
  if (isNestedTooDeep(value)) return { reason: TOO_DEEP, ...asked };
  if (method === undefined) {
    // An error may have no id, as those of this server: two peers would answer such errors to each other for ever.
    const isError = isRecord(value['error']) && (id === null || id === undefined || isId(id));
    if (isError || (isId(id) && isRecord(value['result']))) return undefined;
    return { reason: 'neither request, notification nor response', ...asked };
  }
  if (typeof method !== 'string') return { reason: 'method must be a string', ...asked };
  if ('id' in value && !isId(id)) return { reason: 'id must be a string or an integer' };
  if (isId(id) && method.startsWith('notifications/')) {
    return { reason: `${method} is a notification and takes no id`, ...asked };
  }
  if (params !== undefined && !isRecord(params)) return { reason: 'params must be an object', ...asked };
  return undefined;
}

/** What no validator of this server, and none of its commands, has to go down into. */
export const TOO_DEEP = `nested deeper than ${MOST_LEVELS} levels`;

const ASKING = new Set(['jsonrpc', 'id', 'method', 'params']);
const ANSWERING = new Set(['jsonrpc', 'id', 'result', 'error']);

/** Without members of the sender's own: JSON-RPC does not forbid them, and the SDK never answers what has any. */
export function withoutExtras(message: RpcMessage): RpcMessage {
  const members = isResponse(message) ? ANSWERING : ASKING;
  if (Object.keys(message).every((member) => members.has(member))) return message;
  return Object.fromEntries(Object.entries(message).filter(([member]) => members.has(member))) as never;
}

export function errorResponse(
  id: RpcId | null | undefined,
  code: number,
  message: string,
  data?: unknown,
): RpcResponse {
  return {
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: { code, message, ...(data !== undefined && { data }) },
  };
}
