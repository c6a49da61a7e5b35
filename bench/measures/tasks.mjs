import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Server } from '../driver.mjs';
import { inTurn, RAW, repeat, TASKS } from '../sides.mjs';

const AT_ONCE = 200;
/** The shell of the raw side has ended by then. */
const SHELL_MS = 15;
const LONGEST_WAIT_MS = 45_000;
const MOST_WAIT_CPU_MS = 20;

/** Background tasks: the start of one, of many at once, and what a wait costs. */
export async function measureTasks(report, { node, rounds, isQuick }) {
  const stateDir = mkdtempSync(join(tmpdir(), 'mcpify-bench-'));
  const options = { node, env: { BENCH_STATE_DIR: stateDir } };
  try {
    await measureStart(report, options, isQuick ? 10 : rounds * 3);
    await measureWait(report, options, isQuick ? 5_000 : LONGEST_WAIT_MS);
    await measureBurst(report, options, isQuick ? 20 : AT_ONCE);
  } finally {
    rmSync(stateDir, { recursive: true, force: true });
  }
}

async function measureStart(report, options, count) {
  const both = { raw: new Server(RAW, options), ours: new Server(TASKS, options) };
  for (const server of Object.values(both)) await server.connect();
  const start = {
    async raw() {
      await both.raw.call('job', {});
      return () => sleep(SHELL_MS);
    },
    async ours() {
      const { result } = await both.ours.call('job', {});
      return () => untilEnded(both.ours, result.structuredContent.taskId);
    },
  };
  const times = { raw: [], ours: [] };
  for (const begin of Object.values(start)) await (await begin())();
  await repeat(count, (round) =>
    inTurn(round, start, async (side, begin) => {
      const startedAt = performance.now();
      const end = await begin();
      times[side].push(performance.now() - startedAt);
      await end();
    }),
  );
  report.add('start of a task, tools/call to its id, ms; raw: a detached shell', times.raw, times.ours, {
    must: 1.5,
    strive: 1,
  });
  for (const server of Object.values(both)) await server.stop();
}

/** Of the server alone: the supervisor of the task, and the command, have processes of their own. */
async function measureWait(report, options, waitMs) {
  const server = new Server(TASKS, options);
  await server.connect();
  const { result } = await server.call('silent', {});
  const { taskId } = result.structuredContent;
  const spent = async (work) => {
    const before = server.servingCpuMs();
    await work();
    return server.servingCpuMs() - before;
  };
  await server.call('task_result', { taskId, waitMs: 2_000 });
  // The garbage of the start is collected in this time: that is no part of a wait.
  const idleMs = await spent(() => sleep(waitMs));
  const waitingMs = await spent(() => server.call('task_result', { taskId, waitMs }));
  await server.call('task_cancel', { taskId });
  const time = `${waitMs / 1_000} s`;
  const goals = waitMs === LONGEST_WAIT_MS ? { must: MOST_WAIT_CPU_MS } : {};
  report.addAbsolute(`a task_result that waits ${time} without output, CPU ms`, [waitingMs], goals);
  report.addAbsolute(`a server that does nothing for ${time}, CPU ms`, [idleMs]);
  await server.stop();
}

async function measureBurst(report, options, count) {
  const server = new Server(TASKS, options);
  await server.connect();
  await untilEnded(server, (await server.call('job', {})).result.structuredContent.taskId);
  const before = server.memoryMiB();
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: count }, () => server.call('job', {})));
  const idsAfterMs = performance.now() - startedAt;
  let growth = 0;
  const ids = answers.map(({ result }) => result.structuredContent.taskId);
  for (const taskId of ids) {
    const status = await untilEnded(server, taskId);
    if (status !== 'completed') throw new Error(`Task ${taskId} is ${status}`);
    growth = Math.max(growth, server.memoryMiB() - before);
  }
  if (new Set(ids).size !== count) throw new Error('Two tasks have one id');
  report.addAbsolute(`${count} tasks at once, all completed: growth of the server's memory, MiB`, [growth], {
    must: 60,
  });
  report.addAbsolute('the same, all ids, ms', [idsAfterMs]);
  report.addAbsolute('the same, all ended, ms', [performance.now() - startedAt]);
  await server.stop();
}

async function untilEnded(server, taskId) {
  for (;;) {
    const { result } = await server.call('task_status', { taskId, waitMs: LONGEST_WAIT_MS });
    const { status } = result.structuredContent;
    if (status !== 'running') return status;
  }
}
