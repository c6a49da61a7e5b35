import { spawn, type StdioOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { serverCommand } from '../wire/server-command.js';
import { ENTRY, run, start } from './start.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

function callOf(code: string): object {
  return { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'run', arguments: { code } } };
}

/** Starts the entry with the descriptors named in its environment, as a client's own configuration may. */
function startWith(setting: string, stdio: StdioOptions, input: readonly object[] = []) {
  const { command, args, cwd, env } = serverCommand(ENTRY, { env: { MCPIFY_PROTOCOL_FDS: setting } });
  const child = spawn(command, args, { cwd, env, stdio });
  const texts = ['', '', '', ''];
  for (const index of [1, 2, 3]) {
    const pipe = child.stdio[index] as NodeJS.ReadableStream | null | undefined;
    pipe?.setEncoding('utf8').on('data', (chunk) => (texts[index] += String(chunk)));
  }
  const stdin = child.stdio[4] as NodeJS.WritableStream | null | undefined;
  stdin?.on('error', () => {});
  stdin?.end(input.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const ended = new Promise<{ exitCode: number | null; stdout: string; stderr: string; protocol: string }>(
    (resolve) => {
      child.on('close', (exitCode) => {
        const [, stdout = '', stderr = '', protocol = ''] = texts;
        resolve({ exitCode, stdout, stderr, protocol });
      });
    },
  );
  return { pid: child.pid, ended };
}

const WHAT_IS_SEEN = `
  const { execFileSync } = require('node:child_process');
  const { Worker } = require('node:worker_threads');
  const worker = new Worker('require("worker_threads").parentPort.postMessage(Object.keys(process.env))', { eval: true });
  const [ofWorker] = await require('node:events').once(worker, 'message');
  const names = [...Object.keys(process.env), ...ofWorker, ...execFileSync('env', { encoding: 'utf8' }).split('\\n')];
  return {
    pid: process.pid,
    mcpify: names.filter((name) => name.startsWith('MCPIFY')),
    send: typeof process.send,
    ofChild: require('node:fs').existsSync('/proc/self/fd')
      ? execFileSync('sh', ['-c', 'for fd in 3 4 5 6; do test -e /proc/$$/fd/$fd && echo $fd; done; true'], { encoding: 'utf8' })
      : '',
  };`;

describe('MCPIFY_PROTOCOL_FDS', () => {
  test('names the descriptors: no process is started anew, and the variable goes no further', async () => {
    const { pid, ended } = startWith(
      '3,4',
      ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      [INITIALIZE, callOf(WHAT_IS_SEEN)],
    );
    const { protocol, ...rest } = await ended;
    expect(rest).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    const [first, second] = protocol
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as any);
    expect(first).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
    expect(second.result.structuredContent).toEqual({ pid, mcpify: [], send: 'undefined', ofChild: '' });
  });

  test('may be files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcpify-fds-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(
      join(folder, 'in'),
      `${JSON.stringify(INITIALIZE)}\n${JSON.stringify(callOf('return 5'))}`,
    );
    const output = openSync(join(folder, 'out'), 'w');
    const input = openSync(join(folder, 'in'), 'r');
    const { ended } = startWith('3,4', ['ignore', 'pipe', 'pipe', output, input]);
    closeSync(output);
    closeSync(input);
    expect(await ended).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    const lines = (await readFile(join(folder, 'out'), 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2]);
  });

  test.concurrent.each([
    ['', /must be two descriptors above 2.*it is ""/],
    ['3', /it is "3"/],
    ['3,4,5', /it is "3,4,5"/],
    ['4;3\n', /it is "4;3\\n"/],
    ['3,4,', /must be two/],
    ['-3,4', /must be two/],
    ['1,0', /above 2/],
    ['3,3', /must be two/],
    [`3,${'9'.repeat(100)}`, /it is "3,9{38}"/],
    ['998,999', /descriptor 999, which is not open/],
    ['3,999', /descriptor 999, which is not open/],
  ])('%j is refused', async (setting, message) => {
    const { ended } = startWith(setting, ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'], [INITIALIZE]);
    const { stderr, ...rest } = await ended;
    expect(rest).toEqual({ exitCode: 1, stdout: '', protocol: '' });
    expect(stderr).toMatch(
      /^mcpify: The environment variable MCPIFY_PROTOCOL_FDS [^\n]*Leave it out[^\n]*\(INVALID_SETTING\)\n$/,
    );
    expect(stderr).toMatch(message);
  });

  test('left over where nobody set the descriptors, it is refused', async () => {
    // Node itself has 3 and 4 then.
    const { stderr, exitCode, stdout } = await startWith('3,4', ['ignore', 'pipe', 'pipe']).ended;
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/names descriptor \d, which is no pipe, socket, terminal or file/);
  });
});

describe('a server that sets the descriptors itself', () => {
  test('shows its commands and their children neither variable, channel nor descriptor', async () => {
    const server = start();
    await server.initialize();
    expect((await run(server, WHAT_IS_SEEN)).value).toMatchObject({
      mcpify: [],
      send: 'undefined',
      ofChild: '',
    });
  });

  test('has the whole environment, also what no shell could name', async () => {
    const odd = {
      'my-var': '1',
      'INPUT_A.B': 'two\nlines',
      'npm_config_@a:b': '"$(x)"',
      IFS: 'x',
      PPID: '5',
      SHLVL: '9',
      PWD: '/x',
    };
    const server = start({ env: odd });
    await server.initialize();
    const { value } = await run(server, 'return { ...process.env }');
    expect(value).toMatchObject(odd);
  });

  test('keeps Node’s own arguments; the inspector is that of the server', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const server = start({
      nodeArgs: [`--inspect=127.0.0.1:${port}`, '--title=a b', '--stack-trace-limit=7'],
    });
    await server.initialize();
    const { value } = await run(
      server,
      `return { url: require('node:inspector').url(), execArgv: process.execArgv, title: process.title, limit: Error.stackTraceLimit }`,
    );
    expect(value).toMatchObject({
      url: expect.stringContaining(`:${port}/`),
      execArgv: [`--inspect=127.0.0.1:${port}`, '--title=a b', '--stack-trace-limit=7'],
      title: 'a b',
      limit: 7,
    });
    expect(server.stderr).not.toContain('address already in use');
    expect(server.stdoutLines).toHaveLength(2);
  });
});
