import { setTimeout } from 'node:timers/promises';

import type { ToolCallContext } from '../tools/tool.js';
import type { CallRequest } from './answer-call.js';
import { LOG_LEVELS } from './log-gate.js';

/** Between two progress notifications of one call (P35: the rate is limited). */
const PROGRESS_INTERVAL_MS = 20;

/**
 * Between the last progress and the result: the TypeScript clients drop the progress of a request whose answer they
 * read in the same go.
 */
const RESULT_DELAY_MS = 5;

/** Log messages of one call, at most: a chatty command's output is in its result anyway. */
const MOST_LOG_MESSAGES = 2_000;

const INFO_AND_ABOVE = new Set(LOG_LEVELS.slice(LOG_LEVELS.indexOf('info')));

export interface CallReports extends Pick<ToolCallContext, 'log' | 'progress'> {
  /** Nothing leaves after the result (P35). Where it must wait for a moment, a promise of that. */
  close(): Promise<void> | undefined;
}

/**
 * Log messages and progress of one call (B5, P35 to P38): strictly rising progress, at a limited rate, nothing after
 * the result or a cancellation. Log lines count as progress until the command reports its own, which goes on from there.
 */
export function createCallReports(request: CallRequest): CallReports {
  const progress = request.progressToken === undefined ? undefined : createProgress(request);
  let isOpen = true;
  let messages = 0;
  const isSilent = () => !isOpen || request.signal.aborted;
  return {
    log(level, logger, data) {
      const isWanted = request.wants(level) && messages < MOST_LOG_MESSAGES;
      if ((!isWanted && !progress) || isSilent()) return;
      if (INFO_AND_ABOVE.has(level)) progress?.count(data);
      if (!isWanted) return;
      messages += 1;
      request.notify('notifications/message', { level, logger, data });
    },
    progress(done, total, message) {
      if (progress && !isSilent()) progress.report(done, total, message);
    },
    close() {
      if (!isSilent()) progress?.flush();
      isOpen = false;
      return progress?.isFresh() ? setTimeout(RESULT_DELAY_MS) : undefined;
    },
  };
}

interface Progress {
  report(done: number, total?: number, message?: string): void;
  /** A log line: one step more of a counter. */
  count(data: unknown): void;
  flush(): void;
  /** Whether one was sent a moment ago. */
  isFresh(): boolean;
}

interface ProgressParams {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

function createProgress(request: CallRequest): Progress {
  let highest = -Infinity;
  let hasOwn = false;
  /** Once the command reports its own, the part of its progress that came before: progress rises, whatever it counts. */
  let lines = 0;
  let sentAt = -Infinity;
  let waiting: ProgressParams | undefined;
  const send = (params: ProgressParams) => {
    sentAt = performance.now();
    waiting = undefined;
    request.notify('notifications/progress', { progressToken: request.progressToken, ...params });
  };
  // What comes too soon replaces what waits: the newest is told with the next, or before the result.
  const offer = (params: ProgressParams) => {
    if (!(params.progress > highest)) return;
    highest = params.progress;
    if (performance.now() - sentAt >= PROGRESS_INTERVAL_MS) send(params);
    else waiting = params;
  };
  return {
    report(done, total, message) {
      if (typeof done !== 'number' || !Number.isFinite(done)) return;
      hasOwn = true;
      offer({
        progress: lines + done,
        ...(typeof total === 'number' && Number.isFinite(total) && { total: lines + total }),
        ...(typeof message === 'string' && { message }),
      });
    },
    count(data) {
      if (hasOwn) return;
      lines += 1;
      offer({ progress: lines, message: typeof data === 'string' ? data : (JSON.stringify(data) ?? '') });
    },
    flush() {
      if (waiting) send(waiting);
    },
    isFresh: () => performance.now() - sentAt < RESULT_DELAY_MS,
  };
}
