import { Server, startIdle } from '../driver.mjs';
import { IDLE, inTurn, OURS, RAW, repeat } from '../sides.mjs';

/**
 * From spawn to the answer of tools/list. Started plainly, mcpify starts a second Node, so that the protocol has its
 * own descriptors: the yardstick is the raw SDK and an empty Node. A client that sets the descriptors spares that.
 */
export async function measureStart(report, { node, rounds }) {
  const cpu = { raw: [], ours: [], preset: [], empty: [] };
  const wall = { raw: [], ours: [], preset: [], empty: [] };
  const starts = {
    raw: () => startOnce(RAW, { node }),
    ours: () => startOnce(OURS, { node }),
    preset: () => startOnce(OURS, { node, preset: true }),
    empty: () => startIdle(IDLE, { node }),
  };
  for (const start of Object.values(starts)) await start();
  await repeat(rounds, async (round) => {
    await inTurn(round, starts, async (side, start) => {
      const { cpuMs, wallMs } = await start();
      cpu[side].push(cpuMs);
      wall[side].push(wallMs);
    });
  });
  const goals = { must: 1.15, strive: 1 };
  report.add('start to tools/list, CPU ms; raw + an empty Node', withEmpty(cpu), cpu.ours, goals);
  report.add('start, descriptors preset, CPU ms', cpu.raw, cpu.preset, goals);
  report.add('start to tools/list, wall ms; raw + an empty Node', withEmpty(wall), wall.ours);
  report.add('start, descriptors preset, wall ms', wall.raw, wall.preset);
}

function withEmpty({ raw, empty }) {
  return raw.map((value, round) => value + empty[round]);
}

export async function startOnce(file, options) {
  const server = new Server(file, options);
  await server.connect();
  const times = { wallMs: performance.now() - server.startedAt, cpuMs: server.cpuMs() };
  await server.stop();
  return times;
}
