import { spawn } from 'node:child_process';

import { describe, expect, test } from 'vitest';

import { ENTRY } from '../start/start.js';
import type { RawServer } from '../wire/connect.js';
import { serverCommand } from '../wire/server-command.js';
import { isRunning, newPath, pidsIn, until, untilThere } from './job-processes.js';
import { call, serve, startOf } from './kind-server.js';

/* K29: a signal, whoever gets it and how often, is one orderly stop: trees gone, records final, exit code 0, no noise. */

interface Busy {
  readonly server: RawServer;
  readonly taskId: string;
  readonly stateDir: string;
  /** Of the call and of the task. */
  readonly pids: readonly number[];
}

/** A server with a child that a call waits for, and a task that ends with it. */
async function busy(onServerExit: 'cancel' | 'keep'): Promise<Busy> {
  const stateDir = newPath();
  const server = await serve('jobs.mjs', { settings: { stateDir, tasks: { onServerExit } } });
  const [task, child] = [newPath(), newPath()];
  const { value } = await call(server, 'beat_task', { file: task });
  const params = { name: 'beat_child', arguments: { file: child } };
  server.send({ jsonrpc: '2.0', id: 'runs', method: 'tools/call', params });
  await Promise.all([untilThere(`${task}.beats`), untilThere(`${child}.beats`)]);
  return { server, taskId: value.taskId, stateDir, pids: [...pidsIn(child), ...pidsIn(task)] };
}

async function statusIn(stateDir: string, taskId: string, waitMs = 20_000): Promise<unknown> {
  const next = await serve('jobs.mjs', { settings: { stateDir } });
  const { value } = await call(next, 'task_status', { taskId, waitMs });
  if (value.status === 'running') await call(next, 'task_cancel', { taskId });
  await next.close();
  return value.status;
}

describe.concurrent('with a call and a task that run (F170)', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s', async (signal) => {
    const { server, taskId, stateDir, pids } = await busy('cancel');
    server.process.kill(signal);
    expect(await server.exited).toEqual({ exitCode: 0, signal: null });
    await until(() => !pids.some(isRunning));
    expect(await statusIn(stateDir, taskId)).toBe('cancelled');
    expect(server.stderr).toBe('');
    expect(server.messages.filter(({ id }) => id === 'runs')).toEqual([]);
  });

  test('a second one ends it at once', async () => {
    const { server, pids } = await busy('cancel');
    server.process.kill('SIGTERM');
    server.process.kill('SIGINT');
    server.process.kill('SIGTERM');
    await server.exited;
    await until(() => !pids.some(isRunning));
    expect(server.stderr).toBe('');
  });

  test('a task that is to be kept runs on, the call does not', async () => {
    const { server, taskId, stateDir, pids } = await busy('keep');
    server.process.kill('SIGTERM');
    expect(await server.exited).toEqual({ exitCode: 0, signal: null });
    await until(() => pids.filter(isRunning).length === pids.length / 2);
    expect(await statusIn(stateDir, taskId, 0)).toBe('running');
    await until(() => !pids.some(isRunning));
  });
});

test('Ctrl-C in the terminal of the client reaches all of the group at once, and is one stop (F172)', async () => {
  const { command, args, cwd, env } = serverCommand(ENTRY, startOf('jobs.mjs'));
  const server = spawn(command, args, { cwd, env, stdio: 'pipe', detached: true });
  let [stdout, stderr] = ['', ''];
  server.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  server.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const closed = new Promise((resolve) =>
    server.on('close', (exitCode, signal) => resolve({ exitCode, signal })),
  );
  const file = newPath();
  const params = { name: 'beat_child', arguments: { file } };
  const messages = [
    {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} },
    },
    { method: 'notifications/initialized' },
    { id: 1, method: 'tools/call', params },
  ];
  for (const message of messages) server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  await untilThere(`${file}.beats`);

  process.kill(-server.pid!, 'SIGINT');

  expect(await closed).toEqual({ exitCode: 0, signal: null });
  await until(() => !pidsIn(file).some(isRunning));
  expect(stderr).toBe('');
  for (const line of stdout.split('\n').filter(Boolean))
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
});

test('the end of input is no failure, 20 times out of 20 (F174)', { timeout: 60_000 }, async () => {
  const ends: unknown[] = [];
  for (let wave = 0; wave < 5; wave += 1) {
    const servers = await Promise.all(Array.from({ length: 4 }, () => serve('jobs.mjs')));
    ends.push(...(await Promise.all(servers.map((server) => server.endInput()))));
    for (const { stderr } of servers) expect(stderr).toBe('');
  }
  expect(ends).toEqual(Array.from({ length: 20 }, () => ({ exitCode: 0, signal: null })));
});
