import { readlinkSync } from 'node:fs';

import { appendsTo } from './linux-descriptors.js';
import { hasInEnvironment } from './linux-environment.js';
import { listProcFolder, readProcFile } from './read-proc-file.js';
import type { ProcessEntry, ProcessSnapshot, ProcessSource } from './process-source.js';

/** Reads `/proc` itself: slim container images have no `ps`, and one run of it costs more than a whole scan. */
export const linuxProcesses: ProcessSource = {
  bootId: () => readProcFile('/proc/sys/kernel/random/boot_id')?.trim() ?? '',
  pidNamespace,
  read: (pid) => (isOurProc() ? readStat(`/proc/${pid}/stat`) : undefined),
  takeSnapshot,
  isStopped,
};

function pidNamespace(): string {
  return readLink('/proc/self/ns/pid');
}

/** In a PID namespace without a `/proc` of its own the numbers there mean others. */
function isOurProc(): boolean {
  return (isOurs ??= readLink('/proc/self') === String(process.pid));
}

let isOurs: boolean | undefined;

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function takeSnapshot(): ProcessSnapshot | undefined {
  if (!isOurProc()) return undefined;
  const processes = new Map<number, ProcessEntry>();
  for (const pid of numbersIn('/proc')) {
    const entry = readStat(`/proc/${pid}/stat`);
    if (entry) processes.set(entry.pid, entry);
  }
  return { processes, hasInEnvironment, appendsTo };
}

/** The state of a process is that of its first thread; another one may still be inside of a write. */
function isStopped(pid: number): boolean {
  return numbersIn(`/proc/${pid}/task`).every((thread) => {
    const entry = readStat(`/proc/${pid}/task/${thread}/stat`);
    return entry?.state !== 'running';
  });
}

function numbersIn(folder: string): string[] {
  return listProcFolder(folder).filter((name) => /^\d+$/.test(name));
}

function readStat(path: string): ProcessEntry | undefined {
  const text = readProcFile(path);
  if (text === undefined) return undefined;
  // The program's name is in brackets and may hold anything, brackets and spaces too.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const startTime = fields[19];
  if (startTime === undefined) return undefined;
  return {
    pid: Number.parseInt(text, 10),
    parentPid: Number(fields[1]),
    groupId: Number(fields[2]),
    sessionId: Number(fields[3]),
    startTime,
    state: toState(fields[0], Number(fields[17])),
  };
}

/** A first thread that has ended is a zombie while others run on. */
function toState(letter: string | undefined, threadCount: number): ProcessEntry['state'] {
  if (letter === 'T' || letter === 't') return 'stopped';
  if (letter === 'X') return 'ended';
  return letter === 'Z' && threadCount <= 1 ? 'ended' : 'running';
}
