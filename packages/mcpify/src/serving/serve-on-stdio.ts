import type { Readable, Writable } from 'node:stream';

import { exitProcess } from '../execution/patch-exit.js';
import { keepListener } from '../execution/process-listeners.js';
import { isInCall } from '../execution/running-call.js';
import type { Settings } from '../options/mcp-options.js';
import type { Registry } from '../registry/registry.js';
import { createConnection } from './connection.js';
import { DirectCalls } from './direct-calls.js';
import { OnDemandServer } from './on-demand-server.js';
import { handshakeResult } from './plain-handshake.js';
import { StdioTransport } from './stdio-transport.js';

/** How long calls in flight may go on when the client has closed its side (P10, decision 10). */
const DRAIN_MS = 5_000;

/** For the last bytes, to a client that does not read. */
const FLUSH_MS = 1_000;

/** For children that must be asked to end, and then ended: a client that waits for us kills us soon after. */
const CLOSE_MS = 3_000;

/**
 * Serves one client until it leaves, then ends the process: exit code 0 after the end of input, a stop signal or the
 * loss of the client.
 */
export function serveOnStdio(
  registry: Registry,
  settings: Settings,
  input: Readable,
  output: Writable,
): void {
  const transport = new StdioTransport(input, output);
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) {
      registry.kill();
      exitProcess(0);
    }
    isStopping = true;
    await server.close();
    await Promise.all([atMost(FLUSH_MS, transport.flush()), atMost(CLOSE_MS, registry.close())]);
    registry.kill();
    exitProcess(0);
  };
  transport.onOutputLost = () => void stop();
  transport.onInputEnd = () => {
    void atMost(DRAIN_MS, whenIdle(transport))
      .then(() => atMost(FLUSH_MS, transport.flush()))
      .then(stop);
  };
  // A command that emits the event is no signal: on a command line nothing would happen.
  const onSignal = () => {
    if (!isInCall()) void stop();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  keepListener(onSignal);
  const connection = createConnection();
  const server = new OnDemandServer(transport, async (wire) => {
    const { serveBySdk } = await import('./sdk-server.js');
    return serveBySdk(registry, settings, connection, wire);
  });
  transport.directCalls = new DirectCalls(registry, connection, {
    send: (message) => void transport.send(message as never),
    sendLine: (response, line) => transport.sendLine(response, line),
    open: (request) =>
      server.noteHandshake(request) ? handshakeResult(request, registry, settings) : undefined,
  });
  void transport.start();
}

/** Resolves once no request is open. */
function whenIdle(transport: StdioTransport): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (transport.openRequests === 0) resolve();
    };
    transport.onSettled = check;
    check();
  });
}

async function atMost(timeoutMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
