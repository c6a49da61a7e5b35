import { setTimeout as sleep } from 'node:timers/promises';

import { greet, inFlight, inTurn, repeat, startBoth, stopBoth } from '../sides.mjs';

const WIDTH = 64;
const CALLS_FOR_MEMORY = 13_000;
/** Until the heap of the start is given back. */
const SETTLE_MS = 500;

/** One call after the other, 64 at a time, and the memory before and after. */
export async function measureCalls(report, { node, rounds, calls }) {
  const both = await startBoth({ node });
  await sleep(SETTLE_MS);
  const idle = memoryOf(both);
  let made = 0;
  const onBoth = async (round, count, work) => {
    await inTurn(round, both, work);
    made += count;
  };

  await onBoth(0, calls, (_, server) => repeat(calls, () => greet(server)));
  const p50 = { raw: [], ours: [] };
  const rate = { raw: [], ours: [] };
  const cpu = { raw: [], ours: [] };
  await repeat(rounds, async (round) => {
    await onBoth(round, calls, async (side, server) => {
      p50[side].push(await medianMicroseconds(calls, () => greet(server)));
    });
    await onBoth(round, calls * 2, async (side, server) => {
      const before = server.cpuMs();
      const startedAt = performance.now();
      await inFlight(WIDTH, calls * 2, () => greet(server));
      rate[side].push((calls * 2 * 1_000) / (performance.now() - startedAt));
      cpu[side].push(((server.cpuMs() - before) * 1_000) / (calls * 2));
    });
  });
  const rest = Math.max(0, CALLS_FOR_MEMORY - made);
  await onBoth(0, rest, (_, server) => inFlight(WIDTH, rest, () => greet(server)));
  await sleep(SETTLE_MS);
  const after = memoryOf(both);

  report.add('one call at a time, p50 us', p50.raw, p50.ours, { must: 1.4, strive: 1 });
  report.add('server CPU per call, 64 in flight, us', cpu.raw, cpu.ours, { must: 1.6, strive: 0.7 });
  report.add('calls per second, 64 in flight', rate.raw, rate.ours, {
    must: 0.7,
    strive: 1.6,
    moreIsBetter: true,
  });
  report.add('memory idle, MiB', [idle.raw], [idle.ours], { must: 1.05, strive: 1 });
  report.add(`memory after ${made.toLocaleString('en')} calls, MiB`, [after.raw], [after.ours], {
    must: 1.15,
    strive: 0.9,
  });
  report.addAbsolute('memory of the launcher, MiB', [both.ours.launcherMiB()]);
  await stopBoth(both);
}

/** Ten calls that wait 100 ms at once. */
export async function measureOverlap(report, { node, rounds }) {
  const both = await startBoth({ node });
  const times = { raw: [], ours: [] };
  for (const server of Object.values(both)) await server.call('wait', { ms: 1 });
  await repeat(rounds, (round) =>
    inTurn(round, both, async (side, server) => {
      const startedAt = performance.now();
      await inFlight(10, 10, () => server.call('wait', { ms: 100 }));
      times[side].push(performance.now() - startedAt);
    }),
  );
  report.add('10 overlapping calls of 100 ms, ms', times.raw, times.ours, { must: 1.1, strive: 1.03 });
  await stopBoth(both);
}

function memoryOf({ raw, ours }) {
  return { raw: raw.memoryMiB(), ours: ours.memoryMiB() };
}

async function medianMicroseconds(count, call) {
  const times = [];
  await repeat(count, async () => {
    const startedAt = performance.now();
    await call();
    times.push((performance.now() - startedAt) * 1_000);
  });
  return times.toSorted((a, b) => a - b)[count >> 1];
}
