import { linuxProcesses } from './linux-processes.js';
import { psProcesses } from './ps-processes.js';
import { windowsProcesses } from './windows-processes.js';

/** What the system tells of its processes: `/proc` on Linux, `ps` on other POSIX systems, PowerShell on Windows. */
export interface ProcessSource {
  /** Changes with every start of the machine; empty where nothing tells. */
  bootId(): string;
  /** Where process numbers have their meaning: a container has its own. */
  pidNamespace(): string;
  read(pid: number): ProcessEntry | undefined;
  /** All processes; undefined where the system does not tell. */
  takeSnapshot(): ProcessSnapshot | undefined;
  /** Every thread has come to a halt. */
  isStopped(pid: number): boolean;
}

export interface ProcessSnapshot {
  readonly processes: ReadonlyMap<number, ProcessEntry>;
  /** `assignment`: `NAME=value`, the whole of it. False where it may not be read. */
  hasInEnvironment(pid: number, assignment: string): boolean;
  /** Has the file open for writing at its end (O_APPEND). */
  appendsTo(pid: number, file: FileIdentity): boolean;
}

export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  readonly sessionId: number;
  /** A number that grows with time; its unit is the source's own. */
  readonly startTime: string;
  /** `ended`: waits only for its parent to take note (zombie). */
  readonly state: 'running' | 'stopped' | 'ended';
}

export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

export const processSource: ProcessSource = chooseSource();

/** Whether this system tells of its processes at all; not being able to look just now does not count. */
export function canListProcesses(): boolean {
  try {
    return processSource.takeSnapshot() !== undefined;
  } catch {
    return true;
  }
}

function chooseSource(): ProcessSource {
  if (process.platform === 'win32') return windowsProcesses;
  return process.platform === 'linux' ? linuxProcesses : psProcesses;
}
