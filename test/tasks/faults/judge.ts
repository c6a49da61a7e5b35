import type { Task } from 'mcpify/tasks';

import type { FaultPlan, Target } from './fault-plan.js';

/** What is known of a round from outside of the code under test. */
export interface Facts {
  /** The server gave the id out before it was killed. */
  readonly wasAnswered: boolean;
  /** The end, as another server tells it. */
  readonly task: Task | undefined;
  /** Who was alive, and was killed. */
  readonly killed: readonly Target[];
  readonly wasCancelAsked: boolean;
  /** The command has run. */
  readonly hasStarted: boolean;
  /** What the command has told at its own end. */
  readonly ended: { readonly exitCode: number; readonly lines: number } | undefined;
}

/** Whether a task may have ended so. @returns what is wrong */
export function judge(plan: FaultPlan, facts: Facts): string[] {
  const { task } = facts;
  if (!task)
    return facts.wasAnswered ? ['lost: its id was given out, and nobody knows it'] : judgeNothing(facts);
  const wrong = WRONG[task.status](plan, facts, task);
  return wrong === undefined ? [] : [`${wrong}: ${JSON.stringify(task)}`];
}

function judgeNothing({ hasStarted }: Facts): string[] {
  return hasStarted ? ['the command has run, and nobody knows of a task'] : [];
}

type Check = (plan: FaultPlan, facts: Facts, task: Task) => string | undefined;

const WRONG: Readonly<Record<Task['status'], Check>> = {
  running: () => 'runs for ever',
  completed: (_, { ended }, { exitCode, evidence }) => {
    if (!ended || ended.exitCode !== exitCode) return 'completed, which it has not';
    if (exitCode !== 0 && exitCode !== 7) return 'an exit code that is not normal';
    return evidence === 'supervisor' || evidence === 'witness' ? undefined : 'completed without evidence';
  },
  cancelled: ({ tie }, { wasCancelAsked, killed }, { reason }) => {
    if (reason === 'server-gone')
      return tie && killed.includes('server') ? undefined : 'its server was there';
    return wasCancelAsked ? undefined : 'nobody cancelled it';
  },
  timeout: ({ timeoutMs }, _, { elapsedMs }) => {
    if (timeoutMs === undefined) return 'it had no deadline';
    return elapsedMs >= timeoutMs ? undefined : 'before its deadline';
  },
  failed: (plan, facts, task) => {
    const { reason, exitCode, signal } = task;
    if (reason !== undefined) return wrongReason(plan, facts, task);
    if (exitCode !== undefined) {
      return facts.ended?.exitCode === exitCode && exitCode === 3
        ? undefined
        : 'an exit code that it has not';
    }
    return signal === 'SIGKILL' && facts.killed.includes('child') ? undefined : 'a signal that nobody sent';
  },
};

function wrongReason(
  _: FaultPlan,
  { killed, hasStarted, ended }: Facts,
  { reason }: Task,
): string | undefined {
  const watchers = killed.filter((target) => target !== 'child');
  if (reason === 'never-started') {
    return !hasStarted && watchers.length > 0 ? undefined : 'it has started, or nobody kept it from it';
  }
  if (reason !== 'lost') return 'a reason that is none';
  if (!killed.includes('recorder')) return 'lost, though its recorder lived';
  if (killed.includes('child')) return undefined;
  return hasStarted || ended ? 'lost, though its command lived' : undefined;
}
