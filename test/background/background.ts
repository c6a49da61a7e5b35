import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll } from 'vitest';

import {
  connect,
  startServer,
  textOf,
  type CallOptions,
  type CallResult,
  type ClientKind,
  type RawServer,
  type WireClient,
} from '../wire/connect.js';

export const ENTRY = 'test/background/fixtures/mcp.mjs';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** A folder that goes with the test file. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcpify-background-'));
  folders.push(folder);
  return folder;
}

/** Environment of a server whose tasks an object of the test's own keeps, in memory. */
export function inMemory(options: object = {}): Record<string, string> {
  return { TEST_OPTIONS: JSON.stringify({ ...options, inMemory: true }) };
}

/** Environment of a server whose tasks lie in a folder of the test. */
export function embedded(options: object = {}): Record<string, string> {
  return { TEST_OPTIONS: JSON.stringify({ stateDir: newFolder(), ...options }) };
}

export interface Page {
  readonly text: string;
  /** What the command printed; undefined where the page has none. */
  readonly output: string | undefined;
  readonly nextOffsetBytes: number;
}

/** The tools of a server as an agent uses them. */
export class Agent {
  constructor(readonly client: WireClient) {}

  static async connect(kind: ClientKind, env: Record<string, string>): Promise<Agent> {
    return new Agent(await connect(kind, ENTRY, { env }));
  }

  call(name: string, toolArguments: object = {}, options: CallOptions = {}): Promise<CallResult> {
    return this.client.callTool(name, toolArguments as Record<string, unknown>, options);
  }

  /** Starts a command in the background. */
  async start(name: string, toolArguments: object = {}): Promise<string> {
    const result = await this.call(name, toolArguments);
    if (result.isError) throw new Error(textOf(result));
    return (result.structuredContent as { taskId: string }).taskId;
  }

  /** What `task_status` says as data, at the end of the task where it is waited for. */
  async status(taskId: string, waitMs = 0): Promise<Record<string, unknown>> {
    const result = await this.call('task_status', { taskId, waitMs });
    if (result.isError) throw new Error(textOf(result));
    return result.structuredContent as Record<string, unknown>;
  }

  async ended(taskId: string): Promise<Record<string, unknown>> {
    for (;;) {
      const status = await this.status(taskId, 45_000);
      if (status['status'] !== 'running') return status;
    }
  }

  async page(taskId: string, query: object = {}): Promise<Page> {
    return toPage(textOf(await this.call('task_result', { taskId, ...query })));
  }
}

/** Reads a page as its frame says: the line end before the closing line is not the command's. */
function toPage(text: string): Page {
  const output = /<(output \w{6})>\n([\s\S]*)\n<\/\1>/.exec(text)?.[2];
  const next = /"offsetBytes":(\d+)/.exec(text) ?? /bytes \d+ to (\d+) of/.exec(text);
  return { text, output, nextOffsetBytes: Number(next?.[1] ?? 0) };
}

/** A server for raw lines, after the handshake. */
export async function startRaw(env: Record<string, string>): Promise<RawServer> {
  const server = startServer(ENTRY, { env });
  await server.initialize();
  return server;
}
