import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { serverCommand } from '../wire/server-command.js';
import { ENTRY, urlOf } from './start.js';

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Modules that were loaded, as URLs and paths below the repository. */
  readonly modules: readonly string[];
}

/** Runs a script with the list of what it loads. */
function runScript(script: string, args: readonly string[]): Promise<Ended> {
  const nodeArgs = ['--import', urlOf('test/fixtures/start/list-modules.mjs')];
  // Node 26 deprecates the way in which the list is made.
  const quiet = { NODE_NO_WARNINGS: '1' };
  const { command, args: allArgs, cwd, env } = serverCommand(script, { nodeArgs, args, env: quiet });
  const child = spawn(command, allArgs, { cwd, env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const texts = ['', '', '', ''];
  for (const index of [1, 2, 3]) {
    const pipe = child.stdio[index] as NodeJS.ReadableStream;
    pipe.setEncoding('utf8').on('data', (chunk) => (texts[index] += String(chunk)));
  }
  return new Promise((resolve) => {
    child.on('close', (exitCode) => {
      const [, stdout = '', stderr = '', list = ''] = texts;
      const modules = list.split('\n').filter((each) => !/^(?:node:|$)/.test(each));
      resolve({ exitCode, stdout, stderr, modules });
    });
  });
}

const SERVER_CODE =
  /modelcontextprotocol|packages\/mcpify\/|node_modules\/(?:execa|zod|ajv|@cfworker|tree-kill)\b/;

test('the CLI entry loads the marks, one file of them, and nothing of a server (B1.3)', async () => {
  const { modules, ...ended } = await runScript('examples/publish-gate/dist/main.js', ['--version']);
  expect(ended).toEqual({ exitCode: 0, stdout: '0.1.0\n', stderr: '' });
  expect(modules.filter((each) => each.includes('packages/markers/'))).toEqual([
    urlOf('packages/markers/dist/index.js'),
  ]);
  expect(modules.some((each) => each.endsWith('publish-gate/dist/program.js'))).toBe(true);
  expect(modules.some((each) => each.endsWith('/commander/lib/command.js'))).toBe(true);
  expect(modules.filter((each) => SERVER_CODE.test(each))).toEqual([]);
});

test('a CLI that imports the framework by mistake is a CLI as before', async () => {
  const script = fileURLToPath(new URL('../fixtures/start/cli-with-framework.mjs', import.meta.url));
  const { modules, ...ended } = await runScript(script, ['hello']);
  expect(ended).toEqual({ exitCode: 0, stdout: 'function function \nhello\n', stderr: '' });
  expect(modules.filter((each) => /modelcontextprotocol/.test(each))).toEqual([]);
});

test('what only starts the server anew loads nothing of it', async () => {
  // The list of the server itself goes elsewhere: its descriptor 3 is the protocol's.
  const { exitCode, modules } = await runScript(ENTRY, []);
  expect(exitCode).toBe(0);
  expect(modules.filter((each) => /modelcontextprotocol|serve\.js|program\.mjs/.test(each))).toEqual([]);
});

test('printf of two lines: two answers, then exit code 0 (B1.5)', async () => {
  const initialize = {
    protocolVersion: '2024-11-05',
    capabilities: {},
    clientInfo: { name: 'sh', version: '1' },
  };
  const lines = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  ].map((each) => JSON.stringify(each));
  const { command, args, cwd, env } = serverCommand(ENTRY, {});
  const script = `printf '%s\\n%s\\n' '${lines[0]}' '${lines[1]}' | "$0" "$@"`;
  const child = spawn('sh', ['-c', script, command, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const exitCode = await new Promise((resolve) => child.on('close', resolve));

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result: any });
  expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  expect(answers[0]?.result.protocolVersion).toBe('2024-11-05');
  expect(answers[1]?.result.tools).toMatchObject([
    { name: 'run' },
    { name: 'cache_show' },
    { name: 'cache_clear' },
  ]);
});
