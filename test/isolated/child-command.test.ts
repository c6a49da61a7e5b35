import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import {
  childCommand,
  toChildExecArgv,
  type ChildSurroundings,
} from '../../packages/mcpify/dist/child-process/child-command.js';
import { readWitness } from '../../packages/mcpify/dist/child-process/witness.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpify child (x86) '));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly pid: number;
  /** As `ps` shows it, read while the child waited for its input. */
  readonly commandLine: string;
}

let scripts = 0;

/** Runs a script by the command line that is to be tested. */
async function run(
  code: string,
  options: { argv?: string[]; secretArgv?: string[]; around?: Partial<ChildSurroundings> } = {},
): Promise<Ended> {
  const entry = join(folder, `script ${(scripts += 1)}.mjs`);
  writeFileSync(entry, code);
  const { argv = [], secretArgv, around } = options;
  const { file, args, env, input } = childCommand(
    { entry, execArgv: [], argv },
    { argv: secretArgv },
    { env: { PATH: process.env['PATH'] }, ...around },
  );
  const child = spawn(file, args, { env, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const output = Promise.all([text(child.stdout!), text(child.stderr!)]);
  await once(child, 'spawn');
  const read = () => readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  // Within `exec` it has none for a moment; one that waits for its input does not go away.
  const commandLine =
    input === undefined ? read() : await vi.waitUntil(read, { interval: 5, timeout: 10_000 });
  child.stdin?.end(input);
  const [stdout, stderr] = await output;
  const [exitCode, signal] = (await ended) as [number | null, NodeJS.Signals | null];
  return { stdout, stderr, exitCode, signal, pid: child.pid!, commandLine };
}

const json = ({ stdout }: Ended) => JSON.parse(stdout) as Record<string, unknown>;

describe('the CLI sees the process that it would have on its command line', () => {
  const LOOK = `
    import { fork } from 'node:child_process';
    import { once } from 'node:events';
    import { readFileSync } from 'node:fs';
    import { Worker } from 'node:worker_threads';
    if (process.send) {
      process.send({ execArgv: process.execArgv, order: process.env.MCPIFY_CHILD });
    } else {
      const child = fork(import.meta.filename);
      const [forked] = await once(child, 'message');
      const worker = new Worker("require('worker_threads').parentPort.postMessage(process.env.MCPIFY_CHILD ?? 'none')", { eval: true });
      const [inWorker] = await once(worker, 'message');
      console.log(JSON.stringify({
        argv: process.argv.slice(2), execArgv: process.execArgv, order: process.env.MCPIFY_CHILD,
        stdin: readFileSync(0, 'utf8'), isTTY: process.stdin.isTTY ?? false, forked, inWorker,
      }));
    }`;

  test('argv, execArgv, environment, stdin, a fork of it and its threads', async () => {
    const seen = json(await run(LOOK, { argv: ['--', 'a b', '$(id)'] }));
    expect(seen).toEqual({
      argv: ['--', 'a b', '$(id)'],
      execArgv: [],
      stdin: '',
      isTTY: false,
      forked: { execArgv: [] },
      inWorker: 'none',
    });
  });

  test('the real argv comes beside the command line: secrets, NUL, long values', async () => {
    const secretArgv = ['--token=hunter2', 'a\0b', 'x'.repeat(1_000_000), '\ud800'];
    const ended = await run(LOOK, { argv: ['--token=***', '…'], secretArgv });
    expect(json(ended)).toMatchObject({ argv: secretArgv, execArgv: [], stdin: '' });
    expect(ended.commandLine).toContain('--token=***');
    expect(ended.commandLine).not.toContain('hunter2');
  });

  test('a CLI does not run when its arguments were cut off', async () => {
    const entry = join(folder, 'ran.mjs');
    writeFileSync(entry, 'console.log("ran")');
    const { file, args, env, input } = childCommand(
      { entry, execArgv: [], argv: ['***'] },
      { argv: ['x'.repeat(100)] },
      { env: {} },
    );
    const child = spawn(file, args, { env, stdio: 'pipe' });
    child.stdin.end(input!.slice(0, 50));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect([stdout, stderr]).toEqual(['', 'mcpify: the arguments did not arrive; the command was not run\n']);
  });
});

test('a task whose arguments were cut off tells that it never started', async () => {
  const witnessPath = join(folder, 'never.json');
  const entry = join(folder, 'never.mjs');
  writeFileSync(entry, 'console.log("ran")');
  const { file, args, env, input } = childCommand(
    { entry, execArgv: [], argv: ['***'] },
    { argv: ['x'.repeat(100)] },
    { env: {}, witnessPath },
  );
  const child = spawn(file, args, { env, stdio: 'pipe' });
  child.stdin.end(input!.slice(0, 50));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect([stdout, stderr]).toEqual(['', '']);
  expect(readWitness(witnessPath)).toMatchObject({ pid: child.pid, exitCode: 1, neverStarted: true });
});

describe('output', () => {
  test('nothing is lost on process.exit()', async () => {
    const { stdout, stderr } = await run(`
      console.log('x'.repeat(3_000_000));
      for (let index = 0; index < 3_000; index += 1) console.error('line ' + index);
      process.exit(0);`);
    expect(stdout).toHaveLength(3_000_001);
    expect(stderr.split('\n')).toHaveLength(3_001);
  });

  test('stderr text stands where it was written', async () => {
    const { stdout, stderr } = await run(
      `for (let index = 0; index < 200; index += 1) { console.log('o' + index); console.error('e' + index); }
       process.exit(0);`,
      { around: { stderrMark: '|mark|' } },
    );
    const expected = Array.from({ length: 200 }, (_, index) => `o${index}\n|mark|<e${index}\n|mark|>`).join(
      '',
    );
    expect(stdout).toBe(expected);
    expect(stderr).toBe('');
  });
});

describe('the witness tells the exit code', () => {
  test.each([
    ['a return', '', 0],
    ['process.exit', 'process.exit(3)', 3],
    ['process.exitCode', 'process.exitCode = 4', 4],
    ['an exception', 'throw new Error("no")', 1],
    ['a rejection', 'void Promise.reject(new Error("no")); setTimeout(() => {}, 10_000)', 1],
    ['an await without end', 'await new Promise(() => {})', 13],
    [
      'an exit listener that changes it',
      "process.on('exit', () => { process.exitCode = 6 }); process.exit(2)",
      6,
    ],
  ])('%s', async (_, code, exitCode) => {
    const witnessPath = join(folder, `witness ${scripts}.json`);
    const ended = await run(code, { around: { witnessPath } });
    expect(ended.exitCode).toBe(exitCode);
    expect(readWitness(witnessPath)).toMatchObject({ exitCode, pid: ended.pid });
    expect(statSync(witnessPath).mode & 0o777).toBe(0o600);
  });

  test('but nothing where nobody could know it', async () => {
    const witnessPath = join(folder, 'no witness.json');
    const ended = await run('process.kill(process.pid, "SIGKILL")', { around: { witnessPath } });
    expect(ended.signal).toBe('SIGKILL');
    expect(readWitness(witnessPath)).toBeUndefined();
  });
});

test('the CLI finds this Node where the environment knows none', async () => {
  const code = `import { execFileSync } from 'node:child_process';
    console.log(execFileSync('node', ['-p', 'process.execPath'], { encoding: 'utf8' }).trim());`;
  const { stdout } = await run(code, { around: { env: { PATH: '/nowhere' } } });
  expect(dirname(stdout.trim())).toBe(dirname(process.execPath));
});

test('of Node flags, loaders stay and what the server itself runs goes', () => {
  const flags = [
    '--import',
    'tsx',
    '--inspect=9229',
    '--conditions=source',
    '-e',
    'serve()',
    '--watch',
    '--enable-source-maps',
    '--input-type=module',
  ];
  expect(toChildExecArgv(flags)).toEqual(['--import', 'tsx', '--conditions=source', '--enable-source-maps']);
});
