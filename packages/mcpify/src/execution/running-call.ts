import { AsyncLocalStorage } from 'node:async_hooks';
import type { Console } from 'node:console';
import type { Readable } from 'node:stream';

import type { CallEnd, CapturedOutput, OutputSegment } from '../result/outcome.js';
import type { CommandNode } from '../schema/command-node.js';
import type { Invocation, LogLevel, RunContext } from './invocation.js';
import { LineLog } from './line-log.js';
import { OutputBuffer } from './output-buffer.js';
import { reportLateOutput, writeStray } from './stray-output.js';

type Stream = OutputSegment['stream'];

/** Every copy of this package in the process must agree: a test runner may load it twice, and there is one console. */
const SHARED = Symbol.for('mcpify.runningCalls');

interface Shared {
  /** The call in whose async context code runs. */
  readonly store: AsyncLocalStorage<RunningCall | undefined>;
  /** Calls that have not ended. A list: what a set leaves behind as it shrinks keeps ended calls from being collected. */
  readonly active: RunningCall[];
  isGuest?: boolean;
}

const shared = ((globalThis as { [SHARED]?: Shared })[SHARED] ??= {
  store: new AsyncLocalStorage(),
  active: [],
});
const { store, active } = shared;

/**
 * The process is another server's (`attach`): what happens outside of a call's own async context is that server's
 * matter and goes its usual way, its protocol on stdout not least.
 */
export function becomeGuest(): void {
  shared.isGuest = true;
}

export function isGuest(): boolean {
  return shared.isGuest === true;
}

/** Whether what happens here is no matter of ours. */
export function belongsToHost(): boolean {
  return isGuest() && store.getStore() === undefined;
}

/** The call in whose async context the caller runs; also one that has ended, while something of it still runs. */
export function currentCall(): RunningCall | undefined {
  return store.getStore();
}

/** Whether a command is what runs at this moment, also one whose call has ended. */
export function isInCall(): boolean {
  return store.getStore() !== undefined;
}

/** Whose a write is: where the async context was lost, it can only be that of the one call that runs. */
export function ownerOfWrite(): RunningCall | undefined {
  return store.getStore() ?? onlyCall();
}

/** The call that runs, where it is the only one. */
export function onlyCall(): RunningCall | undefined {
  return active.length === 1 && !isGuest() ? active[0] : undefined;
}

/** Runs work of the server's own, so that nothing it starts is taken for a part of the call. */
export function outsideOfCalls<T>(work: () => T): T {
  return store.run(undefined, work);
}

export interface OwnListener {
  readonly emitter: NodeJS.EventEmitter;
  readonly event: string | symbol;
  readonly listener: (...args: unknown[]) => void;
}

/** What the executor does around the end of a call. */
export interface EndSteps {
  /** While output still counts: exit listeners. */
  beforeEnd(end: CallEnd): void;
  /** Once nothing more is to come. */
  afterEnd(end: CallEnd): void;
}

/** One call while it runs: what the patches of this process look up, and where it ends. */
export class RunningCall {
  /** Parse state of each command that takes part (`parse-state.ts`). */
  readonly parseStates = new Map<CommandNode, Record<string, unknown>>();
  /** The call's own copies of defaults that are objects. */
  readonly defaults = new Map<object, unknown>();
  /** Changes to the environment; undefined = deleted. */
  environment: Map<string, string | undefined> | undefined;
  /** Properties of shared objects that the call has set (`own-per-call.ts`). */
  properties: Map<object, unknown> | undefined;
  /** Listeners that the call put on `process` and its streams. */
  listeners: OwnListener[] = [];
  /** Output that is still on its way: pipes of children that have ended, writes that were not called back. */
  readonly pendingOutput = new Set<Promise<void>>();
  stdin: Readable | undefined;
  /** The call has set `process.setUncaughtExceptionCaptureCallback`. */
  hasCapture = false;
  argv: string[] | undefined;
  cwdBefore: string | undefined;
  umaskBefore: number | undefined;
  /** `process.exitCode` of this call while another's is in place (`exit-code.ts`). */
  exitCode: NodeJS.Process['exitCode'];
  /** What the action returned; one that it calls itself by a nested parse is a part of it. */
  action: { readonly command: CommandNode; result?: unknown } | undefined;
  isGuarded = false;
  /** The action is over: what it sets is set. */
  hasSettled = false;
  /** `process.exitCode` is no matter of this call's any more (`exit-code.ts`). */
  hasReleasedExitCode = false;
  /** Until the call is answered: changes how it has ended. */
  amend: ((end: CallEnd) => void) | undefined;
  /** Level of what `console.warn` and the like are writing at this moment. */
  consoleLevel: LogLevel | undefined;
  /** Counters, timers and indentation of `console`; made when the first of them is used. */
  console: Console | undefined;

  private controller: AbortController | undefined;
  private readonly output: OutputBuffer;
  private readonly lines: Readonly<Record<Stream, LineLog>>;
  private phase: 'running' | 'ending' | 'ended' | 'settled' = 'running';
  private lastEnd: CallEnd | undefined;

  constructor(
    readonly invocation: Invocation,
    readonly context: RunContext,
    private readonly steps: EndSteps,
  ) {
    this.output = new OutputBuffer(context.outputBudgetBytes, context.keepOutput);
    const log = (level: LogLevel, line: string) => this.report(() => context.log(level, line));
    const lineLog = () => new LineLog(log, context.maskLine);
    this.lines = { stdout: lineLog(), stderr: lineLog() };
  }

  /** Aborted when the call is cancelled or its time is over. Made on demand: a signal costs as much as a parse. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.isAbandoned) this.controller.abort();
    return this.controller.signal;
  }

  /** What the command still does reaches nobody. */
  get ended(): boolean {
    return this.phase === 'ended' || this.phase === 'settled';
  }

  /** The caller was released although the command may still run. */
  get isAbandoned(): boolean {
    return this.lastEnd?.kind === 'cancelled' || this.lastEnd?.kind === 'timedOut';
  }

  /** Runs something of this call's own. */
  run<T>(work: () => T): T {
    return store.run(this, work);
  }

  start(): void {
    active.push(this);
  }

  write(stream: Stream, chunk: string | Uint8Array): void {
    if (this.ended) this.writeLate(chunk);
    else this.add(stream, chunk);
  }

  /** Of a child process: the last output of one that ended before the call did may be read only now. */
  writeOfChild(stream: Stream, text: string): void {
    if (this.phase === 'settled' || (this.ended && this.isAbandoned)) this.writeLate(text);
    else this.add(stream, text);
  }

  /** The call waits for output that is on its way before it ends. */
  waitFor(output: Promise<void>): void {
    const { pendingOutput } = this;
    const done = output.then(() => void pendingOutput.delete(done));
    pendingOutput.add(done);
  }

  /** Tells the caller of a log line or progress; nothing once it has its result. */
  report(tell: () => void): void {
    if (this.phase === 'settled') return;
    try {
      outsideOfCalls(tell);
    } catch {
      // A command does not fail because nobody could be told of it.
    }
  }

  /** Ends the call; the first end wins. What the command does afterwards reaches nobody. */
  end(end: CallEnd): void {
    if (this.phase === 'ending') {
      // As at the end of a process: an exit listener that exits again has the last word.
      if (end.kind === 'exited') this.lastEnd = end;
      return;
    }
    if (this.phase !== 'running') return;
    this.lastEnd = end;
    this.phase = 'ending';
    if (!this.isAbandoned) this.run(() => this.steps.beforeEnd(end));
    this.phase = 'ended';
    leaveActive(this);
    if (this.pendingOutput.size === 0 || this.isAbandoned) this.settle();
    else void this.whenPrinted().then(() => this.settle());
    // In the call's own context: its abort listeners must not act as the server.
    if (this.isAbandoned) this.run(() => this.controller?.abort());
  }

  /** Resolves once no output is on its way. */
  async whenPrinted(): Promise<void> {
    while (this.pendingOutput.size > 0 && this.phase !== 'settled') await Promise.all(this.pendingOutput);
  }

  finishOutput(): CapturedOutput {
    return this.output.finish();
  }

  private settle(): void {
    if (this.phase === 'settled') return;
    this.lines.stdout.finish('info');
    this.lines.stderr.finish('info');
    this.phase = 'settled';
    this.steps.afterEnd(this.lastEnd as CallEnd);
  }

  private add(stream: Stream, chunk: string | Uint8Array): void {
    const text = this.output.write(stream, chunk);
    if (text !== '') this.lines[stream].write(text, this.consoleLevel ?? 'info');
  }

  /** Nobody waits for it any more. After an exit, or an end that the command has not seen, that is as it should be. */
  private writeLate(chunk: string | Uint8Array): void {
    if (this.lastEnd?.kind !== 'returned') return;
    reportLateOutput(this.invocation.toolName);
    writeStray(chunk);
  }
}

function leaveActive(call: RunningCall): void {
  const index = active.indexOf(call);
  const last = index === -1 ? undefined : active.pop();
  if (last && last !== call) active[index] = last;
}
