import { greet, inTurn, OURS, RAW, repeat } from '../sides.mjs';
import { Server } from '../driver.mjs';

const MEGABYTES = 50;

/** 50 MB through one call, the output budget lifted: time and growth of peak memory. */
export async function measureOutput(report, { node, rounds }) {
  const time = { raw: [], ours: [] };
  const growth = { raw: [], ours: [] };
  await repeat(Math.ceil(rounds / 3), (round) =>
    inTurn(round, { raw: RAW, ours: OURS }, async (side, file) => {
      const server = new Server(file, { node, env: { BENCH_UNLIMITED: '1' } });
      await server.connect();
      await greet(server);
      await server.call('print', { megabytes: 1 });
      const before = server.memoryMiB('VmHWM');
      const startedAt = performance.now();
      const { sizeBytes } = await server.call('print', { megabytes: MEGABYTES });
      time[side].push(performance.now() - startedAt);
      growth[side].push(server.memoryMiB('VmHWM') - before);
      if (sizeBytes < MEGABYTES * 1_048_576) throw new Error(`${side}: only ${sizeBytes} bytes came back`);
      await server.stop();
    }),
  );
  report.add(`${MEGABYTES} MB of output, ms`, time.raw, time.ours, { must: 1.1, strive: 0.3 });
  report.add(`${MEGABYTES} MB of output, growth of peak memory, MiB`, growth.raw, growth.ours, {
    must: 0.25,
    strive: 0.05,
  });
}
