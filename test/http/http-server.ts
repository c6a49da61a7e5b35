import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { afterAll } from 'vitest';

import { serverCommand, type ServerStart } from '../wire/server-command.js';

/** A server process that listens. */
export interface HttpServer {
  readonly url: string;
  readonly process: ChildProcess;
  /** All that it has written to stderr. */
  readonly stderr: () => string;
  /** Resolves with the next message that the fixture sends and `isWanted` accepts. */
  message(isWanted: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  stop(): Promise<number | null>;
}

const started = new Set<HttpServer>();

afterAll(async () => {
  await Promise.all([...started].map((server) => server.stop()));
});

/** Starts an entry with `--http` and waits until it says where it listens. */
export async function startHttp(entry: string, start: ServerStart = {}): Promise<HttpServer> {
  const child = launch(entry, { ...start, args: ['--http', ...(start.args ?? [])] });
  const [line] = (await once(createInterface({ input: child.process.stdout as never }), 'line')) as [string];
  return track({ ...child, url: line.replace('LISTENING ', '') });
}

/** Starts an entry that sends its URL as a message. */
export async function startOwn(entry: string, start: ServerStart = {}): Promise<HttpServer> {
  const child = launch(entry, start);
  const { url } = await child.message((message) => 'url' in message);
  return track({ ...child, url: url as string });
}

function track(server: HttpServer): HttpServer {
  started.add(server);
  return server;
}

function launch(entry: string, start: ServerStart): Omit<HttpServer, 'url'> {
  const { command, args, ...options } = serverCommand(entry, start);
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const received: Record<string, unknown>[] = [];
  child.on('message', (message) => received.push(message as Record<string, unknown>));
  return {
    process: child,
    stderr: () => stderr,
    async message(isWanted) {
      for (;;) {
        const found = received.find(isWanted);
        if (found) return found;
        await once(child, 'message');
      }
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      return child.exitCode;
    },
  };
}

/** Posts a JSON-RPC message, or text as it is. */
export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** The JSON-RPC answer in a response, sent as JSON or as the last event of a stream. */
export async function answerOf(response: Response): Promise<any> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return JSON.parse(text);
  const events = text.split('\n').filter((line) => line.startsWith('data: {'));
  return JSON.parse((events.at(-1) ?? '').slice('data: '.length));
}

/** `initialize` of a revision with a handshake. */
export function initialize(protocolVersion = '2025-11-25') {
  return {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1.0.0' } },
  };
}

export function call(name: string, toolArguments: object = {}, id = 2) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: toolArguments } };
}
