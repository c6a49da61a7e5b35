import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Server } from '../driver.mjs';
import { inTurn, repeat, TASK_CLI, TASKS } from '../sides.mjs';

/** The command has begun by then. */
const STARTED_MS = 500;

/** Commands that run as children: a call beside the bare CLI, and who is kept waiting by one that is busy. */
export async function measureChildren(report, { node, rounds }) {
  const stateDir = mkdtempSync(join(tmpdir(), 'mcpify-bench-'));
  const server = new Server(TASKS, { node, env: { BENCH_STATE_DIR: stateDir } });
  try {
    await server.connect();
    await measureCall(report, server, node, rounds * 3);
    await measureBusy(report, server, rounds);
  } finally {
    await server.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

async function measureCall(report, server, node, count) {
  const sides = {
    bare: () => runCli(node, ['greet', 'World']),
    served: () => server.call('greet', { name: 'World' }),
  };
  for (const run of Object.values(sides)) await run();
  const times = { bare: [], served: [] };
  await repeat(count, (round) =>
    inTurn(round, sides, async (side, run) => {
      const startedAt = performance.now();
      await run();
      times[side].push(performance.now() - startedAt);
    }),
  );
  report.add('call of a command as a child, ms; the CLI alone', times.bare, times.served, {
    must: 1.15,
    strive: 0.1,
  });
}

function runCli(node, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [TASK_CLI, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.resume();
    child.on('error', reject).on('close', resolve);
  });
}

async function measureBusy(report, server, rounds) {
  const times = { ping: [], cancel: [], gone: [] };
  await repeat(rounds, async () => {
    const { id } = server.begin('tools/call', { name: 'burn', arguments: {} });
    await sleep(STARTED_MS);
    times.ping.push(await timeOf(() => server.request('ping')));
    // Messages are read in their order: whoever hears the ping has heard the cancellation.
    const hear = () => {
      server.notify('notifications/cancelled', { requestId: id });
      return server.request('ping');
    };
    times.cancel.push(await timeOf(hear));
    times.gone.push(await timeOf(() => untilAlone(server)));
  });
  const busy = 'while a command burns CPU as a child, ms';
  report.addAbsolute(`ping ${busy}`, times.ping, { must: 10, strive: 3 });
  report.addAbsolute(`cancel ${busy}`, times.cancel, { must: 10, strive: 3 });
  report.addAbsolute('from there until that child is gone, ms', times.gone);
}

async function untilAlone(server) {
  while (server.pids().at(-1) !== server.serving) await sleep(1);
}

async function timeOf(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
