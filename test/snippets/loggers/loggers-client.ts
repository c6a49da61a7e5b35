import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

import { connect, textOf, type WireClient } from '../../wire/connect.js';
import { compileProgram } from '../compile-program.js';

const SOURCES = fileURLToPath(new URL('.', import.meta.url));

/** Times stand still; consola writes its own at the edge of the screen, where there is one. */
const stable = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-30T20:26:01.123Z')
    .replaceAll(/"(time|pid)":\d+/g, '"$1":1')
    .replaceAll(/ {2,}\d+:\d\d:\d\d [AP]M/g, '');

/** The loggers' program, served, and what its client hears. */
export class LoggersClient {
  private constructor(
    private readonly client: WireClient,
    readonly remove: () => void,
  ) {}

  static async connect(): Promise<LoggersClient> {
    let remove = () => {};
    const folder = compileProgram(SOURCES, 'shop', ['program', 'main', 'mcp'], (each) => {
      remove = each;
    });
    return new LoggersClient(await connect('v1', join(folder, 'dist/mcp.js'), { cwd: folder }), remove);
  }

  async heard(tool: string, toolArguments = {}): Promise<{ lines: readonly string[]; text: string }> {
    const { logs } = this.client;
    const before = logs.length;
    const result = await this.client.callTool(tool, toolArguments);
    const lines = logs.slice(before).map(({ level, data }) => `${level}: ${stable(String(data))}`);
    return { lines, text: stable(textOf(result)) };
  }

  async outputInBackground(tool: string): Promise<string> {
    const { structuredContent } = await this.client.callTool(tool);
    const { taskId } = structuredContent as { taskId: string };
    await this.client.callTool('task_status', { taskId, waitMs: 45_000 });
    return stable(textOf(await this.client.callTool('task_result', { taskId })));
  }
}
