import { fileURLToPath, pathToFileURL } from 'node:url';

import { REPOSITORY, startServer, type RawServer, type ServerStart } from '../wire/connect.js';

export const ENTRY = fileURLToPath(new URL('../fixtures/start/mcp.mjs', import.meta.url));

/** The URL of a module of the repository, for the text of another. */
export function urlOf(path: string): string {
  return pathToFileURL(`${REPOSITORY}${path}`).href;
}

/** Has a program with one tool, `run`, that runs the code which it is given. */
const PROGRAM = urlOf('test/fixtures/start/program.mjs');

/**
 * The URL of a module with this text, which has `program`, `Command`, `Option` and `markers` imported already.
 */
function moduleOf(text: string): string {
  const head = `import { program, Command, Option, markers } from '${PROGRAM}';`;
  return `data:text/javascript,${encodeURIComponent(`${head}\n${text}`)}`;
}

export interface Start extends ServerStart {
  /** Text of the module that is loaded as the program. @default a program with the tool `run` */
  readonly module?: string;
  /** `McpOptions`. */
  readonly settings?: object;
}

/** Starts the entry with a module of the test's own in the place of the program. */
export function start({ module, settings, env, ...rest }: Start = {}): RawServer {
  return startServer(ENTRY, {
    ...rest,
    env: {
      ...(module !== undefined && { LOAD: moduleOf(module) }),
      ...(settings && { SETTINGS: JSON.stringify(settings) }),
      ...env,
    },
  });
}

/** Runs the body of an async function as a command. */
export async function run(
  server: RawServer,
  code: string,
): Promise<{ text: string; isError: boolean; value: any }> {
  const { result, error } = await server.request('tools/call', { name: 'run', arguments: { code } });
  if (!result) throw new Error(JSON.stringify(error));
  return {
    text: result['content'][0].text,
    isError: result['isError'] === true,
    value: result['structuredContent'],
  };
}
