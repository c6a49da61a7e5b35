import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process as `/proc` tells of it: by other means than the code under test. */
export interface Seen {
  readonly pid: number;
  /** Ticks since the machine's start: tells it from another one with its number. */
  readonly startTime: string;
  /** A letter, as `ps` shows it. */
  readonly state: string;
  readonly commandLine: string;
}

/** All processes that live in a folder or name it on their command line; not those that have ended (zombies). */
export function livingIn(folder: string): Seen[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .flatMap((pid) => {
      const seen = lookWhole(folder, pid);
      return seen && seen.state !== 'Z' ? [seen] : [];
    });
}

/**
 * A process of the folder. Within `exec`, and on its way out, it has no command line for moments, whether it runs or
 * waits for a disk; nobody can tell a supervisor that leaves from a command that stays.
 */
function lookWhole(folder: string, pid: number): Seen | undefined {
  let seen = lookIn(folder, pid);
  for (let tries = 0; seen?.commandLine === '' && seen.state !== 'Z' && tries < 400; tries += 1) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    seen = lookIn(folder, pid);
  }
  return seen;
}

function lookIn(folder: string, pid: number): Seen | undefined {
  const seen = look(pid);
  return seen && belongsTo(folder, seen) ? seen : undefined;
}

export function look(pid: number): Seen | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, startTime: fields[19]!, state: fields[0]!, commandLine };
  } catch {
    return undefined;
  }
}

/** Whether a process that was seen lives on. */
export function isAlive({ pid, startTime }: Seen): boolean {
  const now = look(pid);
  return now !== undefined && now.startTime === startTime && now.state !== 'Z';
}

/** Kills one that lives. @returns whether it did */
export function kill(seen: Seen, signal: NodeJS.Signals = 'SIGKILL'): boolean {
  if (!isAlive(seen)) return false;
  try {
    return process.kill(seen.pid, signal);
  } catch {
    return false;
  }
}

export function isSupervisor({ commandLine }: Seen): boolean {
  return commandLine.includes('/tasks/supervisor/');
}

function belongsTo(folder: string, { pid, commandLine }: Seen): boolean {
  if (commandLine.includes(folder)) return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
  } catch {
    return false;
  }
}
