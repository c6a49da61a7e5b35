import { checkEnvelope, checkListen, checkMeta, checkParams, claimsVersion } from '../check-request.js';
import { findFault, isRequest, type RpcMessage, type RpcResponse } from '../json-rpc.js';

/**
 * Parameters of the wrong form and missing capabilities, in the words of stdio (check-request.ts): the SDK would send
 * its validator's dump, or the code of a fault of ours. What is no message or has a wrong envelope it refuses well.
 *
 * @returns the answer, where the request goes no further
 */
export function checkMessage(parsedBody: unknown): Response | undefined {
  if (findFault(parsedBody)) return undefined;
  const message = parsedBody as RpcMessage;
  if (!isRequest(message)) return undefined;
  const isModern = claimsVersion(message);
  if (isModern && checkEnvelope(message)) return undefined;
  const missing = isModern ? checkListen(message) : undefined;
  if (missing) return toResponse(missing, 400);
  const wrongMeta = checkMeta(message);
  if (wrongMeta) return toResponse(wrongMeta, 400);
  const fault = checkParams(message);
  return fault && toResponse(fault, 200);
}

function toResponse(answer: RpcResponse, status: number): Response {
  return Response.json(answer, { status });
}
