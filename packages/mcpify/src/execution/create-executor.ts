import type { CallEnd, Outcome } from '../result/outcome.js';
import type { CommandNode } from '../schema/command-node.js';
import { canOverlap } from './can-overlap.js';
import { exitCodeOf, releaseExitCode, runWithExitCode, takeExitCode } from './exit-code.js';
import type { Executor, Invocation, RunContext } from './invocation.js';
import { patchConsole } from './patch-console.js';
import { restoreEnvironment } from './patch-environment.js';
import { removeCapture, removeListeners, runExitListeners } from './process-listeners.js';
import { findIn, runCommand } from './run-command.js';
import { whenRejectionsAreTold } from './rejections-told.js';
import { atItsTurn, createRunQueue, NOT_STARTED } from './run-queue.js';
import { RunningCall } from './running-call.js';

/**
 * Runs commands in this process. `installPatches` must have run before the program was loaded.
 *
 * Calls of one program run one at a time, in order of arrival, but those of `concurrent` invocations, which overlap
 * with each other and with the one that has its turn (decision 8). The time limit of a call begins with its turn.
 *
 * @param source the program, or a factory that makes one for each call (which then may all overlap)
 */
export function createExecutor(source: CommandNode | (() => CommandNode)): Executor {
  const queue = createRunQueue(1);
  const isFactory = typeof source === 'function';
  return {
    run(invocation, context) {
      if (context.signal.aborted) return Promise.resolve(NOT_STARTED);
      const { command } = invocation;
      const findCommand = () => (isFactory ? findIn(source(), command) : command);
      const start = (resolve: (outcome: Outcome) => void) =>
        startCall(findCommand, invocation, context, resolve);
      const overlaps = isFactory || (invocation.concurrent && canOverlap(command));
      return new Promise((resolve) => {
        const answer = (outcome: Outcome) => {
          if (outcome.end.kind === 'returned') whenRejectionsAreTold(() => resolve(outcome));
          else resolve(outcome);
        };
        if (overlaps) start(answer);
        else atItsTurn(queue, context.signal, start, answer);
      });
    },
  };
}

/** A longer timer fires at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

function startCall(
  findCommand: () => CommandNode,
  invocation: Invocation,
  context: RunContext,
  resolve: (outcome: Outcome) => void,
): void {
  const { signal, timeoutMs } = context;
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => call.end({ kind: 'cancelled' });
  const call = new RunningCall(invocation, context, {
    beforeEnd: (end) => runExitListeners(call, end, () => exitCodeOf(call, end)),
    afterEnd(end) {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      const exitCode = takeExitCode(call);
      removeListeners(call);
      removeCapture(call);
      restoreEnvironment(call);
      if (call.hasSettled) releaseExitCode(call);
      const outcome = { end: withExitCode(end, exitCode), output: call.finishOutput() };
      if (outcome.end.kind === 'returned') {
        call.amend = (later) => {
          outcome.end = later;
        };
        whenRejectionsAreTold(() => {
          call.amend = undefined;
        });
      }
      resolve(outcome);
    },
  });
  if (context.variables) call.environment = new Map(Object.entries(context.variables));
  signal.addEventListener('abort', cancel, { once: true });
  if (timeoutMs !== undefined && timeoutMs <= LONGEST_TIMER_MS) {
    timer = setTimeout(() => call.end({ kind: 'timedOut', timeoutMs }), timeoutMs);
  }
  patchConsole();
  call.start();
  runWithExitCode(call, () => call.run(() => runCommand(findCommand, call)));
}

/** A command that returns after it has set `process.exitCode` has exited with it; what it returned counts. */
function withExitCode(end: CallEnd, exitCode: number): CallEnd {
  return end.kind === 'returned' && exitCode !== 0 ? { kind: 'exited', exitCode, value: end.value } : end;
}
