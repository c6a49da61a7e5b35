import type { LogLevel } from '../execution/invocation.js';
import {
  CLIENT_CAPABILITIES,
  declaresTasks,
  describeMissingTasks,
  NEEDS_TASKS,
} from './client-capabilities.js';
import {
  errorResponse,
  INVALID_PARAMS,
  isId,
  isRecord,
  MISSING_CAPABILITY,
  UNSUPPORTED_VERSION,
  type RpcRequest,
  type RpcResponse,
} from './json-rpc.js';
import { LOG_LEVELS } from './log-gate.js';

const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** Revisions without a handshake that this server speaks. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

/** Whether a request speaks of its revision itself, as all do since 2026-07-28. */
export function claimsVersion({ params }: Pick<RpcRequest, 'params'>): boolean {
  return isRecord(params?.['_meta']) && VERSION in params['_meta'];
}

/**
 * Rules of the revision without a handshake (P14, P15), in words of ours and on every request.
 *
 * @returns the error to answer with
 */
export function checkEnvelope(request: RpcRequest): RpcResponse | undefined {
  const meta = request.params?.['_meta'];
  const version = isRecord(meta) ? meta[VERSION] : undefined;
  if (!isRecord(meta) || typeof version !== 'string') return missing(request, VERSION, 'a text');
  if (!MODERN_VERSIONS.includes(version)) {
    return errorResponse(
      request.id,
      UNSUPPORTED_VERSION,
      `Unsupported protocol version: ${version.slice(0, 50)}`,
      {
        supported: MODERN_VERSIONS,
        requested: version,
      },
    );
  }
  return isRecord(meta[CLIENT_CAPABILITIES]) ? undefined : missing(request, CLIENT_CAPABILITIES, 'an object');
}

function missing({ id, method }: RpcRequest, key: string, kind: string): RpcResponse {
  return errorResponse(
    id,
    INVALID_PARAMS,
    `${method}: params._meta["${key}"] must be ${kind} (protocol ${MODERN_VERSIONS[0]})`,
  );
}

/** What every request may carry beside its own parameters: the SDK gives no answer where it is malformed. */
export function checkMeta({ id, method, params }: RpcRequest): RpcResponse | undefined {
  const meta = params?.['_meta'];
  if (meta === undefined) return undefined;
  if (!isRecord(meta)) return errorResponse(id, INVALID_PARAMS, `${method}: params._meta must be an object`);
  const { progressToken } = meta;
  return progressToken === undefined || isId(progressToken)
    ? undefined
    : errorResponse(
        id,
        INVALID_PARAMS,
        `${method}: params._meta.progressToken must be a string or an integer`,
      );
}

/**
 * News of tasks go to nobody who does not know them (protocol.md, section 7): the SDK would leave `taskIds` out in
 * silence, and the client would wait for what never comes.
 *
 * @param request one whose envelope is in order
 * @returns the error to answer with
 */
export function checkListen({ id, method, params }: RpcRequest): RpcResponse | undefined {
  if (method !== 'subscriptions/listen' || declaresTasks(params?.['_meta'])) return undefined;
  const notifications = params?.['notifications'];
  if (!isRecord(notifications) || notifications['taskIds'] === undefined) return undefined;
  const message = describeMissingTasks(`${method} with taskIds`);
  return errorResponse(id, MISSING_CAPABILITY, message, NEEDS_TASKS);
}

/** Parameters of the methods that are served: told in one sentence in place of a validator's dump (P23, P36). */
export function checkParams(request: RpcRequest): RpcResponse | undefined {
  const { id, method, params = {} } = request;
  // Removed since 2026-07-28 (P19): there it is no method at all, whatever its parameters.
  if (OLD_METHODS.has(method) && claimsVersion(request)) return undefined;
  const fault = RULES[method]?.(params);
  return fault === undefined ? undefined : errorResponse(id, INVALID_PARAMS, `${method}: params.${fault}`);
}

const OLD_METHODS = new Set(['initialize', 'logging/setLevel']);

type Rule = (params: Readonly<Record<string, unknown>>) => string | undefined;

const RULES: Readonly<Record<string, Rule | undefined>> = {
  __proto__: null as never,
  initialize({ protocolVersion, capabilities, clientInfo }) {
    if (typeof protocolVersion !== 'string') return 'protocolVersion must be a string';
    if (!isRecord(capabilities)) return 'capabilities must be an object';
    const isNamed =
      isRecord(clientInfo) &&
      typeof clientInfo['name'] === 'string' &&
      typeof clientInfo['version'] === 'string';
    return isNamed ? undefined : 'clientInfo must be an object with name and version';
  },
  'tools/list': checkCursor,
  'resources/list': checkCursor,
  'resources/templates/list': checkCursor,
  'resources/read'({ uri }) {
    return typeof uri === 'string' ? undefined : 'uri must be a string';
  },
  'tasks/update'({ _meta: meta, inputResponses }) {
    // Without the declaration that is what is told (-32021).
    if (!declaresTasks(meta)) return undefined;
    return isRecord(inputResponses) ? undefined : 'inputResponses must be an object';
  },
  'logging/setLevel'({ level }) {
    return LOG_LEVELS.includes(level as LogLevel)
      ? undefined
      : `level must be one of ${LOG_LEVELS.join(', ')}`;
  },
  'tools/call'({ name, arguments: toolArguments }) {
    if (typeof name !== 'string') return 'name must be the name of a tool';
    return toolArguments === undefined || isRecord(toolArguments) ? undefined : 'arguments must be an object';
  },
};

function checkCursor({ cursor }: Readonly<Record<string, unknown>>): string | undefined {
  return cursor === undefined || typeof cursor === 'string' ? undefined : 'cursor must be a string';
}
