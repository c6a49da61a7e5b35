import { startIdle } from '../driver.mjs';
import { IDLE, inTurn, repeat } from '../sides.mjs';

const COMMANDS = '20';

/** From spawn to a built program of marked commands, without a server: what a CLI pays for classes. */
export async function measureClasses(report, { node, rounds }) {
  const cpu = { hand: [], classes: [] };
  const starts = {
    hand: () => startIdle(IDLE, { node, env: { BENCH_MARKED: COMMANDS } }),
    classes: () => startIdle(IDLE, { node, env: { BENCH_CLASSES: COMMANDS } }),
  };
  for (const start of Object.values(starts)) await start();
  await repeat(rounds, async (round) => {
    await inTurn(round, starts, async (side, start) => {
      cpu[side].push((await start()).cpuMs);
    });
  });
  const measure = `start of a CLI of ${COMMANDS} commands, CPU ms; by hand, as classes`;
  report.add(measure, cpu.hand, cpu.classes, { must: 1.15, strive: 1.05 });
}
