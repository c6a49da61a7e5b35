import { toChildExecArgv } from '../child-process/child-command.js';
import type { ChildReport } from '../child-process/child-reports.js';
import { startChild, type ProcessEnd, type RunningChild } from '../child-process/run-child.js';
import type { CallEnd, Outcome } from '../result/outcome.js';
import { toAbortSignal } from './cancel-signal.js';
import type { Executor, Invocation, RunContext } from './invocation.js';
import { LineLog } from './line-log.js';
import { OutputBuffer } from './output-buffer.js';
import { outsideOfCalls } from './running-call.js';
import { atItsTurn, createRunQueue, NOT_STARTED } from './run-queue.js';

export interface ChildExecutorSettings {
  /** The script of the CLI (B9). */
  readonly entry: string;
  readonly cwd: string;
  /** Between SIGTERM and SIGKILL, in milliseconds. */
  readonly graceMs: number;
  /** How many children run at the same time; further calls wait for their turn. */
  readonly atOnce: number;
}

export interface ChildExecutor extends Executor {
  /** Ends all children with their trees; resolves when they are gone. */
  close(): Promise<void>;
  /** The same in this very moment, without grace. */
  kill(): void;
}

/** The client waits for the server's end no longer than this before it kills it. */
const CLOSE_GRACE_MS = 1_500;

/**
 * Runs commands as children of their own, with the same contract as in this process (B4.6); but a child's returned
 * value stays in it, so that what it printed is the result.
 */
export function createChildExecutor(settings: ChildExecutorSettings): ChildExecutor {
  const queue = createRunQueue(settings.atOnce);
  const children = new Set<RunningChild>();
  const runs = new Set<Promise<Outcome>>();
  let isClosing = false;
  const start = async (invocation: Invocation, context: RunContext): Promise<Outcome> => {
    const call = new ChildCall(invocation, context, settings);
    const child = await call.start();
    children.add(child);
    if (isClosing) void child.end(CLOSE_GRACE_MS);
    const outcome = call.toOutcome(await child.ended);
    children.delete(child);
    return outcome;
  };
  const begin = (invocation: Invocation, context: RunContext, done: (outcome: Outcome) => void) => {
    const run = start(invocation, context).catch(notStarted);
    runs.add(run);
    void run.then((outcome) => {
      runs.delete(run);
      done(outcome);
    });
  };
  return {
    run: (invocation, context) =>
      new Promise((resolve) => {
        if (isClosing) resolve(NOT_STARTED);
        else atItsTurn(queue, context.signal, (done) => begin(invocation, context, done), resolve);
      }),
    async close() {
      isClosing = true;
      for (const child of children) void child.end(CLOSE_GRACE_MS);
      await Promise.all(runs);
    },
    kill() {
      for (const child of children) child.kill();
    },
  };
}

function notStarted(error: unknown): Outcome {
  return { end: { kind: 'threw', error }, output: { segments: [], totalBytes: 0, omittedBytes: 0 } };
}

type Stream = 'stdout' | 'stderr';

/** One call's output and log lines. */
class ChildCall {
  private readonly output: OutputBuffer;
  private readonly lines: Readonly<Record<Stream, LineLog>>;

  constructor(
    private readonly invocation: Invocation,
    private readonly context: RunContext,
    private readonly settings: ChildExecutorSettings,
  ) {
    this.output = new OutputBuffer(context.outputBudgetBytes, context.keepOutput);
    const lineLog = () => new LineLog((level, line) => context.log(level, line), context.maskLine);
    this.lines = { stdout: lineLog(), stderr: lineLog() };
  }

  start(): Promise<RunningChild> {
    const { invocation, context, settings } = this;
    const shown = invocation.shownArgv();
    const signal = toAbortSignal(context.signal);
    return outsideOfCalls(() =>
      startChild({
        script: {
          entry: settings.entry,
          execArgv: toChildExecArgv(process.execArgv),
          argv: shown ?? invocation.argv,
        },
        secretArgv: shown && invocation.argv,
        cwd: settings.cwd,
        env: { ...process.env, ...context.variables },
        startsScript: invocation.command._executableHandler === true,
        timeoutMs: context.timeoutMs,
        graceMs: settings.graceMs,
        leftovers: context.leftovers ?? 'kill',
        signal,
        write: (stream, bytes) => this.write(stream, bytes),
        onReport: (report) => this.pass(report),
        answer: (question, ended) => context.ask(question, AbortSignal.any([signal, ended])),
      }),
    );
  }

  toOutcome(end: ProcessEnd): Outcome {
    this.lines.stdout.finish('info');
    this.lines.stderr.finish('info');
    const callEnd: CallEnd = end.kind === 'notStarted' ? { kind: 'threw', error: end.error } : end;
    return { end: callEnd, output: this.output.finish() };
  }

  /** What its action said by `callContext()`. */
  private pass(report: ChildReport): void {
    const { context } = this;
    if ('log' in report) {
      const [level, data] = report.log;
      context.log(level, data);
      context.debugLog?.(level, data);
    } else {
      const [done, total, message] = report.progress;
      context.progress(done, total ?? undefined, message);
    }
  }

  private write(stream: Stream, bytes: Uint8Array): void {
    const text = this.output.write(stream, bytes);
    if (text !== '') this.lines[stream].write(text, 'info');
  }
}
