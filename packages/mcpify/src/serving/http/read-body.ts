import { isJsonContentType } from '@modelcontextprotocol/server';

import { isNestedTooDeep } from '../../result/nesting.js';
import {
  errorResponse,
  INVALID_REQUEST,
  isId,
  isRecord,
  PARSE_ERROR,
  TOO_DEEP,
  type RpcId,
} from '../json-rpc.js';

/** The SDK's own bound (protocol.md, section 8). */
const LARGEST_BODY_BYTES = 4 * 1024 * 1024;

/** The JSON of a POST, read once and within bounds; or the answer, where it is none. */
export async function readBody(request: Request): Promise<{ readonly json: unknown } | Response> {
  if (!isJsonContentType(request.headers.get('content-type'))) {
    return refusal(415, INVALID_REQUEST, 'The content type must be application/json');
  }
  let json: unknown;
  try {
    const bytes = await readBytes(request);
    if (!bytes) return refusal(413, INVALID_REQUEST, `A request has at most ${LARGEST_BODY_BYTES} bytes`);
    // Fatal: what is no character would become another one in silence, and be executed (P1). A mark of order is left out.
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // So is what a client sent that left in its middle.
    return refusal(400, PARSE_ERROR, 'Parse error: the body is not JSON in UTF-8');
  }
  if (!isNestedTooDeep(json)) return { json };
  const id = isRecord(json) && isId(json['id']) ? json['id'] : null;
  return refusal(400, INVALID_REQUEST, `Invalid request: ${TOO_DEEP}`, id);
}

/** @returns undefined where there is more than a request may have */
async function readBytes({ headers, body }: Request): Promise<Buffer | undefined> {
  if (Number(headers.get('content-length')) > LARGEST_BODY_BYTES) return undefined;
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  // Not cancelled where it is too long: that could end the connection before the client has its answer.
  for await (const part of body?.values({ preventCancel: true }) ?? []) {
    sizeBytes += part.byteLength;
    if (sizeBytes > LARGEST_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** A JSON-RPC error, without id as far as the request was not understood. */
export function refusal(status: number, code: number, message: string, id: RpcId | null = null): Response {
  return Response.json(errorResponse(id, code, message), { status });
}
