import childProcess, { type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

import { withoutInherited, type SpawnOwner, type Stdio, type StreamName } from './inherited-stdio.js';
import { patchSpawnSync } from './patch-spawn-sync.js';
import { readToEnd } from './read-to-end.js';

/**
 * Children that inherit stdout or stderr write to their owner by a pipe; inherited stdin is closed.
 *
 * @param findOwner the running call of the caller's context; undefined outside of calls
 */
export function patchSpawn(findOwner: () => SpawnOwner | undefined): void {
  patchSpawnAsync(findOwner);
  patchSpawnSync(findOwner);
}

interface RawOptions {
  stdio?: Stdio;
  env?: object | null;
  envPairs?: string[];
}

interface RawChild {
  spawn(this: ChildProcess, options: RawOptions): unknown;
}

/** `spawn`, `exec`, `execFile`, `fork` and execa all end here, whatever reference to them was taken before. */
function patchSpawnAsync(findOwner: () => SpawnOwner | undefined): void {
  const prototype = childProcess.ChildProcess.prototype as unknown as RawChild;
  const original = prototype.spawn;
  prototype.spawn = function (options) {
    const owner = findOwner();
    if (!owner) return original.call(this, options);
    const { stdio, captured } = withoutInherited(options.stdio);
    const envPairs = owner.environment && !options.env ? environmentPairs() : options.envPairs;
    const result = original.call(this, { ...options, stdio, ...(envPairs && { envPairs }) });
    const pipes = captured.flatMap(([index, stream]) => connect(this, index, stream, owner) ?? []);
    if (pipes.length > 0) holdExit(this, pipes, owner);
    return result;
  };
}

/** From Node 26 on a child without an `env` of its own gets the real environment, past `process.env`. */
function environmentPairs(): string[] {
  return Object.entries(process.env).map(([name, value]) => `${name}=${value}`);
}

function connect(
  child: ChildProcess,
  index: number,
  stream: StreamName,
  owner: SpawnOwner,
): Socket | undefined {
  const pipe = child.stdio[index] as unknown as Socket | null | undefined;
  if (!pipe) return undefined;
  pipe.setEncoding('utf8');
  pipe.on('data', (text: string) => owner.writeOfChild(stream, text));
  pipe.on('error', () => {});
  // The caller asked for an inherited stream and expects none here.
  (child.stdio as unknown[])[index] = null;
  if (index === 1) child.stdout = null;
  if (index === 2) child.stderr = null;
  return pipe;
}

/**
 * Output that is inherited is there before the exit is seen: 'exit', and what comes behind it, waits until the pipes
 * are read. A caller that prints after it then prints after its child, as on a command line.
 */
function holdExit(child: ChildProcess, pipes: readonly Socket[], owner: SpawnOwner): void {
  const emit = child.emit as (this: ChildProcess, ...event: EmittedEvent) => boolean;
  let held: EmittedEvent[] | undefined;
  const release = () => {
    child.emit = emit;
    for (const each of held ?? []) emit.apply(child, each);
  };
  child.emit = (event: string | symbol, ...args: unknown[]) => {
    if (held) {
      held.push([event, ...args]);
      return true;
    }
    if (event !== 'exit') return emit.call(child, event, ...args);
    held = [[event, ...args]];
    const read = readToEnd(pipes);
    owner.waitFor(read);
    // Not in the promise itself: a listener that throws is an uncaught exception, no rejection.
    void read.then(() => process.nextTick(release));
    return true;
  };
}

type EmittedEvent = [event: string | symbol, ...args: unknown[]];
