import { UsageError } from '../../errors/usage-error.js';
import { RESERVED } from '../../registry/name-tools.js';
import type { Registry } from '../../registry/registry.js';
import type { Tool } from '../../tools/tool.js';

interface Registered {
  remove(): void;
}

/**
 * Registers every tool of the registry in its order, or none.
 *
 * @param register throws what the SDK throws
 * @throws UsageError `DUPLICATE_TOOL`, `INVALID_SETTING`
 */
export function registerAll(registry: Registry, register: (tool: Tool) => Registered): void {
  const registered: Registered[] = [];
  for (const { name } of registry.definitions) {
    try {
      registered.push(register(registry.get(name) as Tool));
    } catch (error) {
      for (const each of registered) each.remove();
      throw toUsageError(error, name);
    }
  }
}

function toUsageError(error: unknown, name: string): unknown {
  const { message } = error as Error;
  if (/already registered/i.test(message)) return nameTaken(name, error);
  if (/register capabilities/i.test(message)) return connectedTooEarly(error);
  return error;
}

export function nameTaken(name: string, cause?: unknown): UsageError {
  const wayOut = RESERVED.has(name)
    ? "It is one that mcpify adds to the tools of each program: attach one program with both as its subcommands, or, where it is of the session, turn that off: { sessionCache: 'off' }."
    : 'Give the command another name: McpTool({ name }).';
  return new UsageError('DUPLICATE_TOOL', `The server has a tool "${name}" already. ${wayOut}`, { cause });
}

export function connectedTooEarly(cause?: unknown): UsageError {
  return new UsageError(
    'INVALID_SETTING',
    'The server is connected and has told its client that it has no tools. Call attach before connect, or make the ' +
      'server with `capabilities: { tools: {} }`.',
    { cause },
  );
}
