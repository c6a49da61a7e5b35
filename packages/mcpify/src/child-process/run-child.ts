import { randomUUID } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';

import { answerChild, type AnswerChild } from './answer-child.js';
import { childCommand, type ChildScript } from './child-command.js';
import type { ChildReport } from './child-reports.js';
import { identify } from './process-identity.js';
import { endTree, TREE_TOKEN_VARIABLE, type ProcessTree } from './process-tree.js';
import { readToEnd } from './read-to-end.js';
import { newStderrMark, StderrSplitter, type WriteOutput } from './split-stderr.js';

/** One run of the CLI as a child that somebody waits for. */
export interface ChildRun {
  readonly script: ChildScript;
  /** The real argv, where it is not `script.argv`. */
  readonly secretArgv: readonly string[] | undefined;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The CLI starts another script of its own with the same output (an executable subcommand). */
  readonly startsScript: boolean;
  readonly timeoutMs: number | undefined;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  /** What becomes of processes that are left when it has ended. */
  readonly leftovers: 'kill' | 'keep';
  readonly signal: AbortSignal;
  readonly write: WriteOutput;
  /** What it asks. */
  readonly answer: AnswerChild;
  /** What it reports beside its output. */
  readonly onReport: (report: ChildReport) => void;
}

/** How its process ended; the first cause wins. */
export type ProcessEnd =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'timedOut'; readonly timeoutMs: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'notStarted'; readonly error: unknown };

export interface RunningChild {
  /** Resolves when the process has ended, its output is read and, unless they are kept, its leftovers are gone. */
  readonly ended: Promise<ProcessEnd>;
  /** Asks the whole tree to end and, after the time, ends it. */
  end(graceMs: number): Promise<void>;
  /** Ends the process group in this very moment: nobody waits any more. */
  kill(): void;
}

/** What a command has left running was not asked for: a short grace. */
const LEFTOVER_GRACE_MS = 200;

/** A longer timer fires at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Where the child finds the lifeline. */
const LIFELINE_FD = 3;

/** Starts the CLI. Loads execa, which costs more than all else: not before the first child. */
export async function startChild(run: ChildRun): Promise<RunningChild> {
  const { execa } = await import('execa');
  const token = randomUUID();
  const mark = newStderrMark(token);
  const command = childCommand(
    run.script,
    { argv: run.secretArgv },
    {
      env: { ...run.env, [TREE_TOKEN_VARIABLE]: token },
      stderrMark: mark,
      lifelineFd: LIFELINE_FD,
      startsScript: run.startsScript,
      questions: 'lifeline',
    },
  );
  const child = execa(command.file, command.args, {
    ...(command.input !== undefined && { input: command.input }),
    stdio: [command.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', 'pipe'],
    cwd: run.cwd,
    env: command.env,
    extendEnv: false,
    // A session of its own: no terminal to ask, and a Ctrl-C of the client's terminal is the server's to handle.
    detached: process.platform !== 'win32',
    windowsHide: true,
    buffer: false,
    encoding: 'buffer',
    stripFinalNewline: false,
    cleanup: false,
    reject: false,
  });
  const root = child.pid === undefined ? undefined : identify(child.pid);
  const failure = child.then(({ cause }) => cause);
  return watch(child as unknown as ChildProcess, { root, token, isWatched: true }, mark, run, failure);
}

function watch(
  child: ChildProcess,
  tree: ProcessTree,
  mark: string,
  run: ChildRun,
  failure: Promise<unknown>,
): RunningChild {
  let cause: ProcessEnd | undefined;
  let treeEnd: Promise<unknown> | undefined;
  let giveUp: (() => void) | undefined;
  const isStuck = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  const end = async (graceMs: number) => {
    // A look at all processes takes some milliseconds: answers that are ready leave before it.
    const ending = nextTurn().then(() => endTree(tree, { graceMs }));
    treeEnd = ending;
    // Stuck in the kernel: nobody waits for that.
    if ((await ending).survivors.length > 0) giveUp?.();
  };
  const stop = (reason: ProcessEnd) => {
    cause ??= reason;
    void end(run.graceMs);
  };
  const cancel = () => stop({ kind: 'cancelled' });
  const { timeoutMs, signal } = run;
  const timer =
    timeoutMs !== undefined && timeoutMs <= LONGEST_TIMER_MS
      ? setTimeout(() => stop({ kind: 'timedOut', timeoutMs }), timeoutMs)
      : undefined;
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const finish = readOutput(child, mark, run);
  const stuck = isStuck.then((): ProcessEnd => ({ kind: 'killed', signal: 'SIGKILL' }));
  const ended = Promise.race([whenExited(child, failure), stuck]).then(async (exit) => {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    await finish();
    if (treeEnd) await treeEnd;
    else if (run.leftovers === 'kill' && exit.kind !== 'notStarted') await end(LEFTOVER_GRACE_MS);
    return cause ?? exit;
  });
  return { ended, end, kill: () => killGroup(child) };
}

/** The program's own may be a test's. */
const setImmediate = globalThis.setImmediate;

/** The first is of this turn of the event loop, and may come before others of it. */
async function nextTurn(): Promise<void> {
  for (let turns = 0; turns < 2; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** The exit itself, and not the end of its pipes: a daemon may hold those for ever (F029). */
function whenExited(child: ChildProcess, failure: Promise<unknown>): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) =>
      resolve(signal ? { kind: 'killed', signal } : { kind: 'exited', exitCode: exitCode ?? 1 }),
    );
    if (child.pid === undefined) void failure.then((error) => resolve({ kind: 'notStarted', error }));
  });
}

/** @returns reads what is left when the process has ended */
function readOutput(
  child: ChildProcess,
  mark: string,
  { write, answer, onReport }: Pick<ChildRun, 'write' | 'answer' | 'onReport'>,
): () => Promise<void> {
  const splitter = new StderrSplitter(mark, write);
  const pipes = [child.stdout, child.stderr].filter((pipe): pipe is Readable => pipe !== null);
  child.stdout?.on('data', (chunk: Uint8Array) => splitter.push(chunk));
  child.stderr?.on('data', (chunk: Uint8Array) => write('stderr', chunk));
  // Its end is what the child listens for; what it asks and reports comes here.
  const lifeline = child.stdio[LIFELINE_FD] as Duplex | null | undefined;
  const withdraw = lifeline && answerChild(lifeline, answer, onReport);
  return async () => {
    await readToEnd(lifeline ? [...pipes, lifeline] : pipes);
    splitter.finish();
    withdraw?.();
    lifeline?.destroy();
  };
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  // The number of one that has ended may be another's.
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
