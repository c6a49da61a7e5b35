import type { Settings } from '../options/mcp-options.js';
import type { Registry } from '../registry/registry.js';
import { isRecord, type RpcRequest } from './json-rpc.js';
import { serverFacts } from './server-facts.js';

/** Revisions that are opened by `initialize`, newest first: whoever asks for another one gets the first (P13). */
const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/** The result of `initialize`, word for word what the SDK would answer. */
export function handshakeResult({ params }: RpcRequest, registry: Registry, settings: Settings) {
  const asked = params?.['protocolVersion'];
  const protocolVersion = HANDSHAKE_VERSIONS.find((each) => each === asked) ?? HANDSHAKE_VERSIONS[0];
  return { protocolVersion, ...serverFacts(registry, settings) };
}

const PARAMS = new Set(['protocolVersion', 'capabilities', 'clientInfo']);

/** The shape has been checked before (check-request.ts); false where it holds more than every client sends. */
export function isPlainHandshake({ method, params = {} }: RpcRequest): boolean {
  if (method !== 'initialize' || !Object.keys(params).every((key) => PARAMS.has(key))) return false;
  const { capabilities, clientInfo } = params as Readonly<Record<string, object>>;
  const isInfoPlain = Object.values(clientInfo ?? {}).every((value) => typeof value === 'string');
  return isInfoPlain && Object.values(capabilities ?? {}).every(isPlainCapability);
}

/** `{ listChanged: true }`, `{ form: {} }` and the like. */
function isPlainCapability(value: unknown): boolean {
  return (
    isRecord(value) && Object.values(value).every((each) => each === true || each === false || isRecord(each))
  );
}
