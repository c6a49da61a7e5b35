import type { Registry } from '../../registry/registry.js';
import type { JsonSchema } from '../../schema/json-schema.js';
import { errorResponse, isId, isRecord } from '../json-rpc.js';

/** The protocol's own code for headers that say something else than the body. */
const HEADER_MISMATCH = -32_020;

const BASE64_FORM = /^=\?base64\?(.*)\?=$/s;

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/**
 * 400 where a `tools/call` of 2026-07-28 gives an argument whose property is marked `x-mcp-header`, and the header
 * `Mcp-Param-…` is missing, not readable or says something else (protocol.md, section 9): whoever routes or filters
 * by headers would decide by another value than the command gets. The SDK checks this for its `McpServer` only.
 */
export function checkParamHeaders(
  { headers }: Request,
  parsedBody: unknown,
  registry: Registry,
): Response | undefined {
  if (!isRecord(parsedBody) || parsedBody['method'] !== 'tools/call') return undefined;
  const { id, params } = parsedBody;
  if (!isRecord(params) || typeof params['name'] !== 'string') return undefined;
  const tool = registry.get(params['name']);
  if (!tool) return undefined;
  const fault = findFault(tool.definition.inputSchema, params['arguments'], headers);
  if (fault === undefined) return undefined;
  return Response.json(errorResponse(isId(id) ? id : null, HEADER_MISMATCH, fault), { status: 400 });
}

/** Down the chain of `properties`: nowhere else may a header be asked for. */
function findFault(schema: JsonSchema, value: unknown, headers: Headers): string | undefined {
  if (!isRecord(value)) return undefined;
  for (const [property, inner] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(value, property) || !isRecord(inner)) continue;
    const name = inner['x-mcp-header'];
    const fault =
      typeof name === 'string'
        ? compare(`Mcp-Param-${name}`, property, value[property], headers)
        : findFault(inner, value[property], headers);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function compare(header: string, property: string, value: unknown, headers: Headers): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const sent = headers.get(header);
  if (sent === null) return `The header ${header} is missing: it must repeat the argument "${property}"`;
  const text = decode(sent);
  if (text === undefined) return `The header ${header} is not valid Base64 of UTF-8 text`;
  const isSame =
    typeof value === 'number' && DECIMAL.test(text) ? Number(text) === value : text === String(value);
  return isSame ? undefined : `The header ${header} and the argument "${property}" are not the same`;
}

function decode(sent: string): string | undefined {
  const base64 = BASE64_FORM.exec(sent)?.[1];
  if (base64 === undefined) return sent;
  const bytes = Buffer.from(base64, 'base64');
  // What Node's decoder skips in silence does not come back the same.
  if (bytes.toString('base64') !== base64) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
