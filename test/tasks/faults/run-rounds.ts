import type { BackendProcess } from './backend-process.js';
import { planRound, type Target } from './fault-plan.js';
import { runRound } from './fault-round.js';

export interface RoundsResult {
  /** One line for each round that went wrong, with all that is needed to run it again. */
  readonly failures: readonly string[];
  /** How often a process was alive when its turn came. */
  readonly killed: Readonly<Record<Target, number>>;
  /** How often the tasks ended how: `failed lost`, `completed`. */
  readonly ends: Readonly<Record<string, number>>;
}

/** @param options.seed of the first round; the others count up from it. @default another one each time */
export async function runRounds(
  { rounds, width, seed = Date.now() % 1e9 }: { rounds: number; width: number; seed?: number },
  others: readonly BackendProcess[],
): Promise<RoundsResult> {
  const failures: string[] = [];
  const killed = { server: 0, recorder: 0, child: 0 };
  const ends: Record<string, number> = {};
  let done = 0;
  const worker = async () => {
    while (done < rounds) {
      const plan = planRound(seed + done++);
      const { facts, violations } = await runRound(plan, others);
      for (const target of facts.killed) killed[target] += 1;
      const { status = 'nothing stored', reason = '', evidence = '' } = facts.task ?? {};
      const end = [status, reason, evidence].filter(Boolean).join(' ');
      ends[end] = (ends[end] ?? 0) + 1;
      if (violations.length > 0) failures.push(JSON.stringify({ violations, facts, plan }));
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return { failures, killed, ends };
}
