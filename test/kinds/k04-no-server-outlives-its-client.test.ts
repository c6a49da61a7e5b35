import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ENTRY } from '../start/start.js';
import { serverCommand } from '../wire/server-command.js';
import { isRunning, newPath, pidsIn, processesOf, until, untilThere } from './job-processes.js';
import { call, serve, startOf } from './kind-server.js';

/* K04: when its client is gone, however it went, a server and what it runs are gone; a server that is in use is not. */

test('the end of input alone ends server and tied task, on every system the same (F023)', async () => {
  const stateDir = newPath();
  const server = await serve('jobs.mjs', { settings: { stateDir, tasks: { onServerExit: 'cancel' } } });
  const file = newPath();
  const { value } = await call(server, 'beat_task', { file });
  await untilThere(`${file}.beats`);

  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });

  await until(() => pidsIn(file).every((pid) => !isRunning(pid)));
  const next = await serve('jobs.mjs', { settings: { stateDir } });
  expect((await call(next, 'task_status', { taskId: value.taskId, waitMs: 20_000 })).value).toMatchObject({
    status: 'cancelled',
  });
});

test(
  'one server after the other leaves no process and no lock (F019, F024)',
  { timeout: 60_000 },
  async () => {
    const stateDir = newPath();
    const starts = Array.from({ length: 6 }, async () => {
      const server = await serve('jobs.mjs', { settings: { stateDir } });
      await call(server, 'tick_task', { times: 1 });
      expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
    });
    await Promise.all(starts);
    await until(() => processesOf(stateDir).length === 0);
    const [project] = readdirSync(stateDir);
    const names = readdirSync(join(stateDir, project!));
    expect(names.filter((name) => /lock|pid|sock/.test(name))).toEqual([]);
    expect(names.filter((name) => /^t[0-9a-z]{32}$/.test(name))).toHaveLength(6);
  },
);

test('a server whose parent is gone from the start serves, until its input ends (F024)', async () => {
  const { command, args, cwd, env } = serverCommand(ENTRY, startOf('jobs.mjs'));
  const input = newPath();
  execFileSync('mkfifo', [input]);
  // The shell leaves at once; whoever takes its child in is no client.
  const line = '"$@" <"$0" & echo "$!" >&2';
  const shell = spawn('sh', ['-c', line, input, command, ...args], { cwd, env, stdio: 'pipe' });
  const closed = new Promise((resolve) => shell.on('close', resolve));
  let [stdout, stderr] = ['', ''];
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await new Promise((resolve) => shell.on('exit', resolve));
  const client = createWriteStream(input);

  for (const id of [1, 2]) {
    client.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`);
    await until(() => stdout.includes(`"id":${id}`));
  }
  expect(isRunning(Number(stderr))).toBe(true);

  client.end();
  await closed;
  // Its streams close before it is gone.
  await until(() => !isRunning(Number(stderr)));
});

test('a client that is killed with all of its streams leaves nobody (F019, F021)', async () => {
  const server = await serve('jobs.mjs');
  const file = newPath();
  server.send({
    jsonrpc: '2.0',
    id: 'runs',
    method: 'tools/call',
    params: { name: 'beat_child', arguments: { file }, _meta: { progressToken: 1 } },
  });
  await untilThere(`${file}.beats`);
  for (const stream of server.process.stdio) stream?.destroy();
  expect(await server.exited).toMatchObject({ exitCode: 0 });
  await until(() => pidsIn(file).every((pid) => !isRunning(pid)));
  expect(existsSync(file)).toBe(true);
});
