import { existsSync } from 'node:fs';

import type { TaskReason, TaskSpec } from './task-backend.js';
import type { EndIntent, ExitRecord } from './task-records.js';

/** What was seen of a process that has ended; empty where nobody saw it. */
export interface ObservedEnd {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
}

/**
 * The record of an end that was seen, or was brought about.
 *
 * @param intent what the run was ended for; undefined where it ended by itself
 */
export function toExit(
  spec: Pick<TaskSpec, 'exitCodes'>,
  end: ObservedEnd,
  intent: EndIntent | undefined,
  evidence: ExitRecord['evidence'],
): ExitRecord {
  const observed = {
    ...(end.exitCode !== undefined && { exitCode: end.exitCode }),
    ...(end.signal !== undefined && { signal: end.signal }),
    evidence,
    endedAt: new Date().toISOString(),
  };
  if (intent) return { ...observed, ...ENDED_FOR[intent.kind] };
  const isNormal =
    end.exitCode === 0 || (end.exitCode !== undefined && spec.exitCodes.includes(end.exitCode));
  return { ...observed, status: isNormal ? 'completed' : 'failed' };
}

/** A failure that no exit code tells. */
export function toFailure(reason: TaskReason, message: string = SENTENCES[reason]): ExitRecord {
  return { status: 'failed', reason, message, evidence: 'none', endedAt: new Date().toISOString() };
}

export function toSpawnFailure({ cwd }: Pick<TaskSpec, 'cwd'>, error: unknown): ExitRecord {
  const why = error instanceof Error ? error.message : String(error);
  // The system says ENOENT of the program, too.
  const reason = existsSync(cwd) ? why : `its working directory ${cwd} does not exist (${why})`;
  return toFailure('spawn-error', `The command could not be started: ${reason}`);
}

/** Of another user, or stuck in the kernel. */
export function describeSurvivors(survivors: readonly { readonly pid: number }[]): string {
  return `These of its processes could not be ended: ${survivors.map(({ pid }) => pid).join(', ')}.`;
}

const SENTENCES: Readonly<Record<TaskReason, string>> = {
  lost: 'Nobody saw how it ended: the process that watched it was killed, and the command left no exit code.',
  'never-started': 'The server ended before the command was started.',
  'host-restarted': 'The machine was restarted while it ran.',
  'server-gone': 'The server that started it has ended, and its tasks end with it.',
  'spawn-error': 'The command could not be started.',
  'log-cap': 'Its output grew beyond the limit.',
};

const ENDED_FOR: Readonly<
  Record<EndIntent['kind'], Pick<ExitRecord, 'status'> & Partial<Pick<ExitRecord, 'reason' | 'message'>>>
> = {
  cancel: { status: 'cancelled' },
  timeout: { status: 'timeout' },
  'server-gone': { status: 'cancelled', reason: 'server-gone', message: SENTENCES['server-gone'] },
  'log-cap': { status: 'failed', reason: 'log-cap', message: SENTENCES['log-cap'] },
};
