import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test, vi } from 'vitest';

import type { RawServer } from '../wire/connect.js';
import { run, start } from './start.js';

const GONE = { exitCode: 0, signal: null };
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/* `exited` resolves when nobody holds the server's streams any more: launcher, server and children are gone. */

async function serving(module?: string): Promise<{ server: RawServer; pid: number }> {
  const server = start(module === undefined ? {} : { module });
  await server.initialize();
  const { value } = await run(server, 'return { pid: process.pid }');
  return { server, pid: value.pid as number };
}

/** A call that is running and never ends. */
async function hang(server: RawServer, code = ''): Promise<void> {
  const endless = `${code}; process.stderr.write('running\\n'); setInterval(() => {}, 1_000); await new Promise(() => {});`;
  server.notify('notifications/initialized');
  await server.request('logging/setLevel', { level: 'debug' });
  server.send({
    jsonrpc: '2.0',
    id: 'hangs',
    method: 'tools/call',
    params: { name: 'run', arguments: { code: endless } },
  });
  await server.message(({ params }) => params?.['data'] === 'running');
}

describe.concurrent('signals', () => {
  test.each(SIGNALS)('%s ends an idle server cleanly', async (signal) => {
    const { server } = await serving();
    server.process.kill(signal);
    expect(await server.exited).toEqual(GONE);
    expect(server.stderr).toBe('');
  });

  test.each(SIGNALS)('%s ends a server with a running call', async (signal) => {
    const { server } = await serving();
    await hang(server);
    server.process.kill(signal);
    expect(await server.exited).toEqual(GONE);
    expect(server.messages.filter(({ id }) => id === 'hangs')).toEqual([]);
    expect(server.stderr).toBe('');
  });

  test('to the server alone, past its launcher', async () => {
    const { server, pid } = await serving();
    process.kill(pid, 'SIGTERM');
    expect(await server.exited).toEqual(GONE);
  });

  test('again and again, also the same one in the same moment', async () => {
    const { server, pid } = await serving();
    await hang(server);
    for (const signal of [...SIGNALS, ...SIGNALS]) {
      server.process.kill(signal);
      process.kill(pid, signal);
    }
    expect(await server.exited).toEqual(GONE);
    expect(server.stderr).toBe('');
  });

  test.each(SIGNALS)('%s while the program is loaded', async (signal) => {
    const server = start({
      module:
        'console.error("loading"); await new Promise((done) => setTimeout(done, 60_000)); export { program };',
    });
    await server.stderrText(/loading/);
    server.process.kill(signal);
    expect(await server.exited).toEqual(GONE);
    expect(server.stderr).toBe('loading\n');
  });

  test('handlers of the program run, and do not keep the server', async () => {
    const { server } = await serving(
      'process.on("SIGTERM", () => console.error("handled")); export { program };',
    );
    server.process.kill('SIGTERM');
    expect(await server.exited).toEqual(GONE);
    expect(server.stderr).toBe('handled\n');
  });

  test('while a command computes without a pause, nobody is left either', async () => {
    const { server, pid } = await serving();
    const sign = join(tmpdir(), `mcpify-computing-${pid}`);
    server.send({
      jsonrpc: '2.0',
      id: 'computes',
      method: 'tools/call',
      params: {
        name: 'run',
        arguments: { code: `require('fs').writeFileSync(${JSON.stringify(sign)}, ''); for (;;);` },
      },
    });
    await vi.waitFor(() => expect(existsSync(sign)).toBe(true), 10_000);
    rmSync(sign);
    server.process.kill('SIGTERM');
    // Without a launcher there is nobody to see that the server hears nothing, but its client.
    if ('execve' in process) server.process.kill('SIGKILL');
    expect(await server.exited).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });

  test.each([
    'process.emit("SIGINT")',
    'process.disconnect?.()',
    'for (let fd = 3; fd < 12; fd += 1) try { require("fs").writeSync(fd, "{}\\n") } catch {}',
  ])('a command that does %s ends neither its call nor the server', async (code) => {
    const { server } = await serving();
    expect(await run(server, `${code}; return "went on"`)).toMatchObject({ text: 'went on' });
    expect(await run(server, 'return "again"')).toMatchObject({ text: 'again' });
    expect(await server.endInput()).toEqual(GONE);
    expect(server.stderr).toBe('');
    for (const line of server.stdoutLines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  test('a launcher that is killed leaves no server behind', async () => {
    const { server } = await serving('setInterval(() => {}, 1_000); export { program };');
    await hang(server);
    server.process.kill('SIGKILL');
    expect(await server.exited).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });

  test('a launcher that is killed while the program is loaded leaves no server behind', async () => {
    const server = start({
      module:
        'console.error("loading"); await new Promise((done) => setTimeout(done, 60_000)); export { program };',
    });
    await server.stderrText(/loading/);
    server.process.kill('SIGKILL');
    expect(await server.exited).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });

  test.each(['SIGKILL', 'SIGSEGV'] as const)(
    'a server that dies of %s takes its launcher along, with the signal',
    async (signal) => {
      const { server, pid } = await serving();
      process.kill(pid, signal);
      expect(await server.exited).toEqual({ exitCode: null, signal });
    },
  );
});

describe.concurrent('a client that is gone (K04)', () => {
  test('stdin that is closed at once', async () => {
    const server = start();
    expect(await server.endInput()).toEqual(GONE);
    expect(server.stdoutLines).toEqual([]);
    expect(server.stderr).toBe('');
  });

  test('timers, sockets, servers and workers of the program hold nothing up', async () => {
    const { server } = await serving(`
      import { createServer } from 'node:http'; import { Worker } from 'node:worker_threads'; import { watch } from 'node:fs';
      setInterval(() => {}, 10); createServer().listen(0, '127.0.0.1'); watch('.');
      new Worker('setInterval(() => {}, 10)', { eval: true });
      export { program };`);
    expect(await server.endInput()).toEqual(GONE);
    expect(server.stderr).toBe('');
  });

  test('exit listeners of the program run once, and change neither the end nor its code', async () => {
    const { server } = await serving(`
      process.on('exit', (code) => { console.error('exit', code); process.exitCode = 4; });
      process.on('exit', () => { throw new Error('in an exit listener'); });
      process.on('exit', () => process.exit(5));
      export { program };`);
    expect(await server.endInput()).toEqual(GONE);
    expect(server.stderr).toBe('exit 0\n');
  });

  test('an exit code that the program sets is not the server’s', async () => {
    const { server } = await serving('process.exitCode = 9; export { program };');
    expect(await server.endInput()).toEqual(GONE);
  });

  test('stdout that is closed while a call runs', async () => {
    const { server } = await serving('setInterval(() => {}, 10); export { program };');
    server.send({
      jsonrpc: '2.0',
      id: 'late',
      method: 'tools/call',
      params: { name: 'run', arguments: { code: 'await new Promise((done) => setTimeout(done, 50))' } },
    });
    server.process.stdout?.destroy();
    expect(await server.exited).toEqual(GONE);
    expect(server.stderr).toBe('');
  });

  test('all streams closed at once, with a program that survives every error (F021)', async () => {
    const { server } = await serving(`
      for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => console.log('went on after', error));
      setInterval(() => console.log('tick'), 1);
      export { program };`);
    await hang(server, 'setInterval(() => console.error("tock"), 1)');
    // Nobody can tell of its end but its process.
    const exited = new Promise((resolve) =>
      server.process.once('exit', (exitCode, signal) => resolve({ exitCode, signal })),
    );
    for (const stream of [server.process.stdin, server.process.stdout, server.process.stderr])
      stream?.destroy();
    expect(await exited).toEqual(GONE);
  });

  test('a call that never ends: after the grace time', async () => {
    const { server } = await serving();
    await hang(server);
    expect(await server.endInput()).toEqual(GONE);
    expect(server.messages.filter(({ id }) => id === 'hangs')).toEqual([]);
  });

  test('a program that never finishes loading: after the grace time', async () => {
    const server = start({
      module: 'setInterval(() => {}, 1_000); await new Promise(() => {}); export { program };',
    });
    server.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(await server.endInput()).toEqual(GONE);
    expect(server.stdoutLines).toEqual([]);
    expect(server.stderr).toMatch(
      /^mcpify: the program is still loading after 5 s: [^\n]+\nmcpify: The client left while the program was loading\.\n$/,
    );
  });

  test('a program that is loaded after the client has closed its side is still answered from', async () => {
    const server = start({
      module: 'await new Promise((done) => setTimeout(done, 300)); export { program };',
    });
    server.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(await server.endInput()).toEqual(GONE);
    expect(server.messages).toMatchObject([{ id: 1, result: {} }]);
  });
});
