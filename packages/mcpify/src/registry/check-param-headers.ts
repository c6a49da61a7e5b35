import { UsageError } from '../errors/usage-error.js';
import type { CommandModel, Parameter } from '../schema/command-model.js';
import { displayPath } from '../schema/command-node.js';

/** A token of HTTP (RFC 9110, 5.6.2). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

const HEADER_TYPES = new Set(['string', 'integer', 'boolean']);

/**
 * Refuses an `x-mcp-header` that clients would refuse: they drop the whole tool (protocol.md, section 9).
 *
 * @throws UsageError `INVALID_SETTING`
 */
export function checkParamHeaders({ command, parameters }: CommandModel): void {
  const taken = new Map<string, string>();
  for (const parameter of parameters) {
    const header = parameter.schema['x-mcp-header'];
    if (header === undefined) continue;
    const fault = findFault(header, parameter, taken);
    if (fault === undefined) continue;
    throw new UsageError(
      'INVALID_SETTING',
      `Parameter "${parameter.property}" of command "${displayPath(command)}" has the x-mcp-header ` +
        `${JSON.stringify(header)}, ${fault}. Clients would leave the whole tool out. Change its schema.`,
    );
  }
}

function findFault(header: unknown, parameter: Parameter, taken: Map<string, string>): string | undefined {
  const { property, schema, secret } = parameter;
  if (typeof header !== 'string' || !TOKEN.test(header)) return 'which cannot be a part of a header name';
  if (secret) return 'but its value is secret, and headers stand in logs';
  if (schema.type === undefined || !HEADER_TYPES.has(schema.type)) {
    return 'but only strings, integers and booleans can be headers';
  }
  const other = taken.get(header.toLowerCase());
  if (other !== undefined) return `which "${other}" has too`;
  taken.set(header.toLowerCase(), property);
  return undefined;
}
