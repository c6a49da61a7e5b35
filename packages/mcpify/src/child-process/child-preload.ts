/*
 * Runs in the CLI's own process, before its first line: `node --import child-preload.js entry.js`. It must load next to
 * nothing, and leave no trace in what the CLI and its own children see.
 */
import { fstatSync, readFileSync, writeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

import { supplyCallContext } from './child-context.js';
import { CHILD_VARIABLE, type ChildOrders } from './child-orders.js';
import { writeWitness, type Witness } from './witness.js';
import { writeAll } from './write-all.js';

const text = process.env[CHILD_VARIABLE];
// Worker threads would run it again.
if (isMainThread && text !== undefined) obey(JSON.parse(text) as ChildOrders);

function obey({
  readsArgv,
  witnessPath,
  stderrMark,
  lifelineFd,
  startsScript,
  questions,
}: ChildOrders): void {
  const inFolder = typeof questions === 'object' ? questions : undefined;
  if (startsScript) process.env[CHILD_VARIABLE] = JSON.stringify({ stderrMark, questions: inFolder });
  else leaveNoTrace();
  if (readsArgv) takeArgv(witnessPath);
  blockPipes();
  if (stderrMark !== undefined) joinStderr(stderrMark);
  if (witnessPath !== undefined) tellExitCode(witnessPath);
  const lifeline = lifelineFd === undefined ? undefined : endWithServer(lifelineFd);
  supplyCallContext({
    reports: lifelineFd === undefined || !lifeline ? undefined : { fd: lifelineFd, socket: lifeline },
    questions: { folder: inFolder?.folder, lifeline: questions === 'lifeline' ? lifeline : undefined },
  });
}

/** `fork` hands `process.execArgv` on, everything else the environment. */
function leaveNoTrace(): void {
  delete process.env[CHILD_VARIABLE];
  const index = process.execArgv.indexOf(import.meta.url);
  if (index > 0 && process.execArgv[index - 1] === '--import') process.execArgv.splice(index - 1, 2);
}

/** Puts the real argv in the place of the one that `ps` shows (argv.md rule 14). stdin is at its end afterwards. */
function takeArgv(witnessPath: string | undefined): void {
  let argv: unknown;
  try {
    argv = JSON.parse(readFileSync(0, 'utf8'));
  } catch {
    argv = undefined;
  }
  if (!Array.isArray(argv)) {
    // Whoever was to send it is gone. A CLI must never run with a part of its arguments, or with placeholders.
    if (witnessPath === undefined) {
      writeSync(2, 'mcpify: the arguments did not arrive; the command was not run\n');
    } else {
      tell(witnessPath, 1, { neverStarted: true });
    }
    process.exit(1);
  }
  process.argv.length = 2;
  for (const token of argv as readonly string[]) process.argv.push(token);
}

interface PipeHandle {
  setBlocking?(isBlocking: boolean): number;
}

/** A pipe that takes its text in the background loses what is left of it in `process.exit()` (K17). */
function blockPipes(): void {
  // Asked by descriptor first: a stream is made by the first look at it, and most tasks write to a file.
  if (isPipe(1)) block(process.stdout);
  if (isPipe(2)) block(process.stderr);
}

function block(stream: NodeJS.WriteStream): void {
  (stream as unknown as { _handle?: PipeHandle | null })._handle?.setBlocking?.(true);
}

/** As big integers: on Node 20 the plain status of a pipe makes the next module's path keep its links. */
function isPipe(fd: number): boolean {
  try {
    const status = fstatSync(fd, { bigint: true });
    return status.isFIFO() || status.isSocket();
  } catch {
    return false;
  }
}

/** Two pipes have no order between them: stderr text of this process goes through that of stdout, marked. */
function joinStderr(mark: string): void {
  process.stderr._write = (chunk: string | Uint8Array, encoding, done) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    try {
      writeAll(1, Buffer.concat([Buffer.from(`${mark}<`), bytes, Buffer.from(`${mark}>`)]));
      done();
    } catch (error) {
      done(error as Error);
    }
  };
  (process.stderr as { _writev?: unknown })._writev = null;
}

/**
 * Writes the exit code behind all exit listeners: a listener may change it. An end by a signal or by
 * `process.reallyExit()` leaves no witness.
 */
function tellExitCode(witnessPath: string): void {
  const emit = process.emit as (this: NodeJS.Process, ...event: unknown[]) => boolean;
  process.emit = ((...event: unknown[]) => {
    const hadListeners = emit.apply(process, event);
    if (event[0] === 'exit') tell(witnessPath, Number(process.exitCode ?? event[1] ?? 0));
    return hadListeners;
  }) as typeof process.emit;
}

function tell(witnessPath: string, exitCode: number, more: Pick<Witness, 'neverStarted'> = {}): void {
  try {
    writeWitness(witnessPath, { pid: process.pid, exitCode, endedAt: new Date().toISOString(), ...more });
  } catch {
    // The folder is gone or the disk is full: whoever watches the process sees its end itself.
  }
}

/** Between asking the tree to end and ending it. */
const GRACE_MS = 1_000;

/** A server that was killed cannot end its children: the end of this descriptor tells them. */
async function endWithServer(fd: number): Promise<Socket> {
  const { Socket } = await import('node:net');
  const lifeline = new Socket({ fd, readable: true, writable: true });
  let isEnding = false;
  const end = () => {
    if (!isEnding) void endAll();
    isEnding = true;
  };
  lifeline.on('error', end).on('end', end).resume().unref();
  return lifeline;
}

async function endAll(): Promise<void> {
  // This process stays for the grace time, so that somebody ends those who do not go by themselves.
  process.on('SIGTERM', () => {});
  process.kill(process.pid, 'SIGTERM');
  const [{ endTree, TREE_TOKEN_VARIABLE }, { identify }] = await Promise.all([
    import('./process-tree.js'),
    import('./process-identity.js'),
  ]);
  const token = process.env[TREE_TOKEN_VARIABLE] ?? '';
  await endTree({ root: identify(process.pid), token, isWatched: true }, { graceMs: GRACE_MS });
  process.kill(process.pid, 'SIGKILL');
}
