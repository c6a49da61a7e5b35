import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Server } from '../driver.mjs';
import { median } from '../report.mjs';
import { inTurn, repeat, TASKS } from '../sides.mjs';
import { copyTask } from '../task-store.mjs';

const MIB = 2 ** 20;
const CALLS = 50;
/** As many as a list shows, so that the answers are of one length. */
const FEW_TASKS = 50;

/** What a large store and a large log cost: mcpify against itself, with little and with much. */
export async function measureTaskStore(report, { node, rounds, isQuick }) {
  const folders = { few: newFolder(), many: newFolder() };
  try {
    const ids = {};
    for (const [side, stateDir] of Object.entries(folders)) ids[side] = await runOne(node, stateDir);
    copyTask(folders.few, ids.few, FEW_TASKS - 1);
    copyTask(folders.many, ids.many, isQuick ? 1_000 : 10_000);
    await measureStore(report, { node, rounds, folders, ids });
    const logs = { small: MIB, large: (isQuick ? 100 : 1_024) * MIB };
    await measureTails(report, { node, rounds, stateDir: folders.few, taskId: ids.few, logs });
  } finally {
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true });
  }
}

function newFolder() {
  return mkdtempSync(join(tmpdir(), 'mcpify-bench-'));
}

function serverOn(node, stateDir) {
  return new Server(TASKS, { node, env: { BENCH_STATE_DIR: stateDir } });
}

async function runOne(node, stateDir) {
  const server = serverOn(node, stateDir);
  await server.connect();
  const { taskId } = (await server.call('job', {})).result.structuredContent;
  await server.call('task_status', { taskId, waitMs: 45_000 });
  await server.stop();
  return taskId;
}

async function measureStore(report, { node, rounds, folders, ids }) {
  const cpu = { few: [], many: [] };
  const one = { few: [], many: [] };
  const list = { few: [], many: [] };
  await repeat(rounds, (round) =>
    inTurn(round, folders, async (side, stateDir) => {
      const server = serverOn(node, stateDir);
      await server.connect();
      cpu[side].push(server.cpuMs());
      one[side].push(await medianMs(() => server.call('task_status', { taskId: ids[side] })));
      list[side].push(await medianMs(() => server.call('task_status', {})));
      await server.stop();
    }),
  );
  const sides = 'few tasks in the store, many';
  report.add(`start to tools/list, CPU ms; ${sides}`, cpu.few, cpu.many, { must: 1.2 });
  report.add(`task_status of one task, ms; ${sides}`, one.few, one.many, { must: 2 });
  report.add(`task_status of all, ms; ${sides}`, list.few, list.many, { must: 2 });
}

async function measureTails(report, { node, rounds, stateDir, taskId, logs }) {
  const ids = {};
  for (const [side, sizeBytes] of Object.entries(logs)) {
    [ids[side]] = copyTask(stateDir, taskId, 1, (path) => writeLog(path, sizeBytes));
  }
  const times = { small: [], large: [] };
  const server = serverOn(node, stateDir);
  await server.connect();
  const tail = (side) => server.call('task_result', { taskId: ids[side] });
  await medianMs(() => tail('small'));
  const before = server.memoryMiB('VmHWM');
  await tail('large');
  const growth = server.memoryMiB('VmHWM') - before;
  await repeat(rounds, (round) =>
    inTurn(round, ids, async (side) => void times[side].push(await medianMs(() => tail(side)))),
  );
  report.add('tail of a log, ms; of 1 MiB, of 1 GiB', times.small, times.large, { must: 2 });
  report.addAbsolute('the same, growth of peak memory, MiB', [growth], { must: 5 });
  await server.stop();
}

function writeLog(path, sizeBytes) {
  const line = 'a line of a build that prints much\n';
  const block = Buffer.from(line.repeat(Math.ceil(MIB / line.length)));
  const fd = openSync(path, 'wx', 0o600);
  for (let left = sizeBytes; left > 0; left -= block.length)
    writeSync(fd, block, 0, Math.min(left, block.length));
  closeSync(fd);
}

async function medianMs(call) {
  const times = [];
  await repeat(CALLS, async () => {
    const startedAt = performance.now();
    await call();
    times.push(performance.now() - startedAt);
  });
  return median(times);
}
