import type { CallContext } from '@mcpify/markers';

import type { Question } from './invocation.js';
import { toLogData } from '../result/log-data.js';
import { currentCall, outsideOfCalls, type RunningCall } from './running-call.js';

const CALL_CONTEXT = Symbol.for('mcpify.callContext');

/** What `callContext()` of `@mcpify/markers` asks for: the two packages meet only in this symbol (`api.md`). */
export function supplyCallContext(): void {
  (globalThis as { [CALL_CONTEXT]?: () => CallContext | undefined })[CALL_CONTEXT] = () => {
    const call = currentCall();
    return call && contextOf(call);
  };
}

const contexts = new WeakMap<RunningCall, CallContext>();

function contextOf(call: RunningCall): CallContext {
  let context = contexts.get(call);
  if (!context) contexts.set(call, (context = createContext(call)));
  return context;
}

/** `returningCommand` is what `takesReturned()` of the markers asks for. */
function createContext(call: RunningCall): CallContext & { readonly returningCommand: object | undefined } {
  const { context } = call;
  return {
    get returningCommand() {
      return call.action?.command;
    },
    get signal() {
      return call.signal;
    },
    caller: context.caller,
    isMcp: true,
    progress(done, total, message) {
      if (!call.ended) call.report(() => context.progress(done, total, message));
    },
    log(level, data) {
      if (call.ended) return;
      call.report(() => {
        const shown = toLogData(data);
        context.log(level, shown);
        context.debugLog?.(level, shown);
      });
    },
    ask: (message, schema) =>
      call.ended
        ? Promise.reject(new Error('The call has ended: nobody can be asked any more.'))
        : outsideOfCalls(() => context.ask({ message, schema: schema as Question['schema'] }, call.signal)),
  };
}
