import fs from 'node:fs';
import { parseArgs } from 'node:util';

import { UsageError } from '../errors/usage-error.js';
import { exitProcess } from '../execution/patch-exit.js';
import { keepListener } from '../execution/process-listeners.js';
import { isInCall } from '../execution/running-call.js';
import { writeStray } from '../execution/stray-output.js';
import type { HttpOptions } from '../options/http-options.js';
import { checkIsSettings } from '../options/setting-values.js';
import type { McpOptions } from '../options/mcp-options.js';
import type { HttpServing } from '../serving/http/serve-on-http.js';
import type { ProgramLoader } from './load-program.js';
import { listen } from './listen.js';
import { describeStartFailure } from './start-failure.js';

/** Taken before the patches: stdout is free for the one line that says where the server listens. */
const writeSync = fs.writeSync;

/** `node dist/mcp.js --http [--host --port --token-env]`: serves until a signal ends it. */
export async function serveHttpFromCommandLine(
  load: ProgramLoader,
  options: McpOptions,
  args: readonly string[],
): Promise<void> {
  try {
    checkIsSettings(options);
    const http = { ...options.http, ...readArguments(args) };
    const serving = await listen(load, { ...options, http });
    endOnSignal(serving);
    writeSync(1, `LISTENING ${serving.url}\n`);
  } catch (error) {
    writeStray(`mcpify: ${describeStartFailure(error)}\n`);
    exitProcess(1);
  }
}

function endOnSignal(serving: HttpServing): void {
  let isClosing = false;
  const end = () => {
    // A command that emits the event is no signal.
    if (isInCall()) return;
    if (isClosing) exitProcess(0);
    isClosing = true;
    void serving.close().then(() => exitProcess(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  keepListener(end);
}

const USAGE = 'Usage: --http [--host <address>] [--port <number>] [--token-env <variable>]';

function readArguments(args: readonly string[]): HttpOptions {
  const { http, host, port, 'token-env': tokenEnv } = parse(args);
  if (!http) throw new UsageError('INVALID_SETTING', `--host, --port and --token-env need --http. ${USAGE}`);
  return {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port: port.trim() === '' ? Number.NaN : Number(port) }),
    ...(tokenEnv !== undefined && { tokenEnv }),
  };
}

function parse(args: readonly string[]) {
  try {
    const options = {
      http: { type: 'boolean' },
      host: { type: 'string' },
      port: { type: 'string' },
      'token-env': { type: 'string' },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const reason = (error as Error).message.replace(/\.?$/, '.');
    throw new UsageError('INVALID_SETTING', `${reason} ${USAGE}`);
  }
}
