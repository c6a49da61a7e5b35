import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startHttp, type HttpServer } from '../http/http-server.js';
import { serverCommand } from '../wire/server-command.js';

/** The Inspector's command line as a client: needs Node 22.19 or newer, which runs these tests. */
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';

const CONFORMANCE = 'test/conformance/dist/mcp.js';
const RESOURCES = 'test/fixtures/resources/mcp.mjs';

const folder = mkdtempSync(join(tmpdir(), 'mcpify-inspector-'));
const http = new Map<string, HttpServer>();

beforeAll(async () => {
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, INSPECTOR], {
    stdio: 'pipe',
  });
  for (const entry of [CONFORMANCE, RESOURCES]) http.set(entry, await startHttp(entry));
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Run {
  readonly exitCode: number;
  /** What it prints: the result as it came, as JSON. */
  readonly result: any;
  readonly stderr: string;
}

/** How it tells of a result with `isError`. */
const TOOL_FAILED = 5;

describe.each(['stdio', 'http'])('%s', (transport) => {
  describe.each(['legacy', 'modern'])('%s', (era) => {
    const inspect = (entry: string, method: string, ...args: string[]) => {
      const target = transport === 'stdio' ? commandOf(entry) : [http.get(entry)!.url];
      return run([...target, '--protocol-era', era, '--format', 'json', '--method', method, ...args]);
    };

    test('lists tools, which it finds to suit every client', async () => {
      const { exitCode, result, stderr } = await inspect(RESOURCES, 'tools/list', '--strict');
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(result.tools).toContainEqual(expect.objectContaining({ name: 'show' }));
    });

    test('calls a tool with arguments', async () => {
      const call = await inspect(CONFORMANCE, 'tools/call', '--tool-name', 'greet', '--tool-arg', 'name=Ann');
      expect(call).toMatchObject({ exitCode: 0, result: { content: [{ text: 'Hello, Ann!' }] } });
    });

    test('calls a tool with arguments of other types', async () => {
      const values = { seconds: 0.01, label: 'a sum', background: false };
      const json = JSON.stringify(values);
      const call = await inspect(
        CONFORMANCE,
        'tools/call',
        '--tool-name',
        'slow_compute',
        '--tool-args-json',
        json,
      );
      expect(call).toMatchObject({ exitCode: 0, result: { content: [{ text: 'computed a sum\n' }] } });
    });

    test('is told of a failure', async () => {
      const call = await inspect(CONFORMANCE, 'tools/call', '--tool-name', 'test_error_handling');
      expect(call).toMatchObject({ exitCode: TOOL_FAILED, result: { isError: true } });
      expect(call.result.content[0].text).toContain('intentionally');
    });

    test('lists resources and their templates', async () => {
      const { result } = await inspect(RESOURCES, 'resources/list');
      expect(result.resources[0]).toMatchObject({ uri: 'notes://all', mimeType: 'text/markdown' });
      const { result: templates } = await inspect(CONFORMANCE, 'resources/templates/list');
      expect(templates.resourceTemplates).toContainEqual(
        expect.objectContaining({ uriTemplate: 'mcpify://tasks/{taskId}/log' }),
      );
    });

    test('reads a resource', async () => {
      const read = await inspect(RESOURCES, 'resources/read', '--uri', 'notes://note/a%20b');
      expect(read).toMatchObject({ exitCode: 0, result: { contents: [{ text: 'note "a b"' }] } });
    });

    test('is told that there is no such resource', async () => {
      const read = await inspect(RESOURCES, 'resources/read', '--uri', 'notes://nope');
      expect(read.exitCode).not.toBe(0);
      expect(read.stderr).toContain('Resource not found');
    });
  });
});

function commandOf(entry: string): readonly string[] {
  const { command, args } = serverCommand(entry, {});
  return [command, ...args];
}

function run(args: readonly string[]): Promise<Run> {
  const inspector = join(
    folder,
    'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  );
  const { cwd, env } = serverCommand(inspector, { env: { HOME: folder, USERPROFILE: folder } });
  return new Promise((resolve) => {
    execFile(process.execPath, [inspector, '--cli', ...args], { cwd, env }, (error, stdout, stderr) => {
      const exitCode = error ? Number(error.code) : 0;
      resolve({
        exitCode,
        result: stdout === '' ? undefined : (JSON.parse(stdout) as { result: unknown }).result,
        stderr,
      });
    });
  });
}
