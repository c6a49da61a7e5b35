import { fileURLToPath } from 'node:url';

import { startServer, type RawServer, type ServerStart } from '../wire/connect.js';
import { ENTRY, urlOf } from '../start/start.js';

export interface Serving extends ServerStart {
  /** `McpOptions`. */
  readonly settings?: object;
}

/** How a program of `test/kinds/fixtures` is started, its children too. */
export function startOf(program: string, { settings, env, ...rest }: Serving = {}): ServerStart {
  const cliEntry = fileURLToPath(new URL('fixtures/main.mjs', import.meta.url));
  return {
    ...rest,
    env: {
      LOAD: urlOf(`test/kinds/fixtures/${program}`),
      PROGRAM: `./${program}`,
      // Each call stands alone here; what is remembered has tests of its own.
      SETTINGS: JSON.stringify({ cliEntry, sessionCache: 'off', ...settings }),
      ...env,
    },
  };
}

/** Starts a server for such a program, behind its handshake. */
export async function serve(program: string, serving: Serving = {}): Promise<RawServer> {
  const server = startServer(ENTRY, startOf(program, serving));
  await server.initialize();
  return server;
}

export interface Answer {
  /** Text of the first block. */
  readonly text: string;
  readonly isError: boolean;
  /** `structuredContent`. */
  readonly value: any;
  /** Code of a JSON-RPC error, in place of all else. */
  readonly code?: number;
}

/** Calls a tool over raw lines. */
export async function call(server: RawServer, name: string, toolArguments?: unknown): Promise<Answer> {
  const params = { name, ...(toolArguments !== undefined && { arguments: toolArguments }) };
  const { result, error } = await server.request('tools/call', params);
  if (error) return { text: error.message, isError: true, value: undefined, code: error.code };
  return {
    text: result?.['content'][0].text,
    isError: result?.['isError'] === true,
    value: result?.['structuredContent'],
  };
}

/** The tools as they are listed, by name. */
export async function list(server: RawServer): Promise<ReadonlyMap<string, Record<string, any>>> {
  const { result } = await server.request('tools/list');
  const tools: readonly Record<string, any>[] = result?.['tools'];
  return new Map(tools.map((tool) => [tool['name'], tool]));
}
