import { rm } from 'node:fs/promises';

import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll } from 'vitest';

import { RawServer } from './raw-server.js';
import { serverCommand, STATE_HOME, type ServerStart } from './server-command.js';

export type { Message } from './raw-server.js';
export { RawServer } from './raw-server.js';
export { REPOSITORY, type ServerStart } from './server-command.js';

/** Clients of today and tomorrow: the v1 SDK, and the v2 SDK in each way to agree on a revision. */
export const CLIENT_KINDS = ['v1', 'v2 legacy', 'v2 auto', 'v2 2026-07-28'] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

/** What the tests need of a client, the same for both SDKs. */
export interface WireClient {
  readonly server: { readonly name: string; readonly version: string };
  /** Log messages in the order of their arrival. */
  readonly logs: readonly LogMessage[];
  listTools(): Promise<readonly ListedTool[]>;
  /** Rejects with an error that carries the JSON-RPC `code`. */
  callTool(name: string, toolArguments?: Record<string, unknown>, options?: CallOptions): Promise<CallResult>;
  /** What the server has written to stderr so far. */
  stderr(): string;
  close(): Promise<void>;
}

export interface LogMessage {
  readonly level: string;
  readonly logger?: string | undefined;
  readonly data: unknown;
}

export interface ListedTool {
  readonly name: string;
  readonly [member: string]: unknown;
}

export interface CallOptions {
  /** Asks for progress. */
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
  /** Asks for logs in revision 2026-07-28, which sends none unasked. Older revisions need nothing. */
  readonly logLevel?: 'debug' | 'info' | 'warning' | 'error';
  readonly signal?: AbortSignal;
  /** @default the client's own: 60,000 */
  readonly timeoutMs?: number;
}

export interface CallResult {
  readonly content: ReadonlyArray<{ readonly type: string; readonly text?: string }>;
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
}

/** Starts an entry as a server, for raw lines. It ends with the test file at the latest. */
export function startServer(entry: string, start: ServerStart = {}): RawServer {
  return track(new RawServer(entry, start));
}

/** Starts an entry and connects a client of that kind. Both end with the test file at the latest. */
export async function connect(kind: ClientKind, entry: string, start: ServerStart = {}): Promise<WireClient> {
  return track(kind === 'v1' ? await connectV1(entry, start) : await connectV2(kind, entry, start));
}

/** The text of a result: its text blocks, one behind the other. */
export function textOf({ content }: CallResult): string {
  return content.flatMap(({ text }) => text ?? []).join('\n');
}

/** `_meta` that makes a raw request one of revision 2026-07-28. */
export function modernMeta(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...more,
  };
}

const started = new Set<{ close(): Promise<void> }>();

function track<T extends { close(): Promise<void> }>(running: T): T {
  started.add(running);
  return running;
}

afterAll(async () => {
  await Promise.all([...started].map((running) => running.close()));
  started.clear();
  await rm(STATE_HOME, { recursive: true, force: true, maxRetries: 3 });
});

const CLIENT_INFO = { name: 'wire-tests', version: '1.0.0' };

async function connectV1(entry: string, start: ServerStart): Promise<WireClient> {
  const client = new ClientV1(CLIENT_INFO);
  const transport = new StdioV1({ ...serverCommand(entry, start), stderr: 'pipe' });
  const stderr = collect(transport.stderr);
  const logs: LogMessage[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logs.push(params));
  await client.connect(transport);
  await client.setLoggingLevel('debug');
  return {
    server: serverInfo(client.getServerVersion()),
    logs,
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, toolArguments, options = {}) =>
      (await client.callTool(
        { name, ...(toolArguments && { arguments: toolArguments }) },
        undefined,
        requestOptions(options),
      )) as CallResult,
    stderr,
    close: () => client.close(),
  };
}

async function connectV2(kind: ClientKind, entry: string, start: ServerStart): Promise<WireClient> {
  const mode = kind === 'v2 legacy' ? 'legacy' : kind === 'v2 auto' ? 'auto' : { pin: '2026-07-28' };
  const client = new ClientV2(CLIENT_INFO, { versionNegotiation: { mode } });
  const transport = new StdioV2({ ...serverCommand(entry, start), stderr: 'pipe' });
  const stderr = collect(transport.stderr);
  const logs: LogMessage[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params));
  await client.connect(transport);
  // Since 2026-07-28 each request tells its own level.
  if (kind === 'v2 legacy') await client.setLoggingLevel('debug');
  return {
    server: serverInfo(client.getServerVersion()),
    logs,
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, toolArguments, options = {}) =>
      (await client.callTool(
        {
          name,
          ...(toolArguments && { arguments: toolArguments }),
          ...(options.logLevel && { _meta: { 'io.modelcontextprotocol/logLevel': options.logLevel } }),
        },
        requestOptions(options),
      )) as CallResult,
    stderr,
    close: () => client.close(),
  };
}

function requestOptions({ onProgress, signal, timeoutMs }: CallOptions) {
  return {
    ...(onProgress && { onprogress: onProgress }),
    ...(signal && { signal }),
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
  };
}

function serverInfo(info: { name: string; version: string } | undefined) {
  return { name: info?.name ?? '', version: info?.version ?? '' };
}

function collect(stream: unknown): () => string {
  let text = '';
  (stream as NodeJS.ReadableStream).setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return () => text;
}
