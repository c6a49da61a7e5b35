import { Server, startIdle } from '../driver.mjs';
import { median } from '../report.mjs';
import { IDLE, inTurn, OURS, RAW, repeat } from '../sides.mjs';

const SIZES = [10, 100, 1_000, 5_000];
const LISTS = 7;

/** Programs of many commands: the list, the start beyond the commander tree itself, the memory. */
export async function measureScale(report, { node, rounds }) {
  const start = {};
  for (const size of SIZES) {
    const list = { raw: [], ours: [] };
    const memory = { raw: [], ours: [] };
    start[size] = { raw: [], ours: [], tree: [] };
    await repeat(Math.ceil(rounds / 3), async (round) => {
      await inTurn(round, { raw: RAW, ours: OURS }, async (side, file) => {
        const server = new Server(file, {
          node,
          env: { BENCH_COMMANDS: String(size) },
          preset: side === 'ours',
        });
        await server.connect();
        start[size][side].push(server.cpuMs());
        list[side].push(await medianListMs(server));
        memory[side].push(server.memoryMiB());
        await server.stop();
      });
      const { cpuMs } = await startIdle(IDLE, { node, env: { BENCH_TREE: String(size) } });
      start[size].tree.push(cpuMs);
    });
    const goals = size >= 1_000 ? { must: 1.25, strive: 1 } : {};
    report.add(`tools/list of ${size.toLocaleString('en')} commands, ms`, list.raw, list.ours, goals);
    if (size === SIZES.at(-1)) report.add('the same, memory, MiB', memory.raw, memory.ours);
  }
  const [least, most] = [start[SIZES[0]], start[SIZES.at(-1)]];
  const growth = (side) => median(most[side]) - median(least[side]);
  const perCommandUs = (growthMs) => (growthMs * 1_000) / (SIZES.at(-1) - SIZES[0]);
  report.addAbsolute(
    'start-up CPU per command beyond the commander tree, us',
    [perCommandUs(growth('ours') - growth('tree'))],
    { must: 25, strive: 10 },
  );
  // The list goes out on both sides.
  report.add(
    'the same, beside the whole of the raw SDK, us',
    [perCommandUs(growth('raw'))],
    [perCommandUs(growth('ours') - growth('tree'))],
  );
}

async function medianListMs(server) {
  const times = [];
  await repeat(LISTS, async () => {
    const startedAt = performance.now();
    await server.request('tools/list');
    times.push(performance.now() - startedAt);
  });
  return median(times);
}
