import { spawnSync } from 'node:child_process';

import type { ProcessEntry, ProcessSnapshot, ProcessSource } from './process-source.js';

/** macOS and other systems without `/proc`. Start times are whole seconds; nothing tells who writes to a file. */
export const psProcesses: ProcessSource = {
  bootId: () => (bootId ??= readEntries(['-p', '1']).get(1)?.startTime ?? ''),
  pidNamespace: () => '',
  read: (pid) => recentEntries().get(pid),
  takeSnapshot,
  isStopped: (pid) => recentEntries().get(pid)?.state !== 'running',
};

let bootId: string | undefined;

/** No session: macOS prints addresses there. Its leader leads a group of the same number anyway. */
const COLUMNS = ['pid', 'ppid', 'pgid', 'stat', 'lstart'];

function takeSnapshot(): ProcessSnapshot | undefined {
  const processes = readEntries(['-A']);
  if (processes.size === 0) return undefined;
  recent = { processes, atMs: performance.now() };
  let environments: Map<number, string> | undefined;
  return {
    processes,
    hasInEnvironment: (pid, assignment) => {
      environments ??= readEnvironments();
      return ` ${environments.get(pid) ?? ''} `.includes(` ${assignment} `);
    },
    appendsTo: () => false,
  };
}

let recent: { readonly processes: ReadonlyMap<number, ProcessEntry>; readonly atMs: number } | undefined;

/** Within this time `ps` could not tell one process from the next of its number: a start time has whole seconds. */
const RECENT_MS = 50;

function recentEntries(): ReadonlyMap<number, ProcessEntry> {
  const now = performance.now();
  if (!recent || now - recent.atMs > RECENT_MS) recent = { processes: readEntries(['-A']), atMs: now };
  return recent.processes;
}

function readEntries(which: readonly string[]): Map<number, ProcessEntry> {
  const text = runPs([...which, ...COLUMNS.flatMap((column) => ['-o', `${column}=`])]);
  return parsePsEntries(text);
}

/** Exported for tests: the one part of this file that can be held against output of another system. */
export function parsePsEntries(text: string): Map<number, ProcessEntry> {
  const entries = new Map<number, ProcessEntry>();
  for (const line of text.split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line);
    if (!match) continue;
    const [, pid, parentPid, groupId, state, start] = match as unknown as string[];
    const startMs = Date.parse(`${start!.trim()} UTC`);
    if (Number.isNaN(startMs)) continue;
    entries.set(Number(pid), {
      pid: Number(pid),
      parentPid: Number(parentPid),
      groupId: Number(groupId),
      sessionId: 0,
      startTime: String(startMs / 1000),
      state: toState(state!),
    });
  }
  return entries;
}

function toState(letters: string): ProcessEntry['state'] {
  if (letters.startsWith('Z')) return 'ended';
  return letters.startsWith('T') ? 'stopped' : 'running';
}

/** Best effort: the system hides it for protected programs, and gives no way to tell a value from an argument. */
function readEnvironments(): Map<number, string> {
  const lines = runPs(['-A', '-E', '-ww', '-o', 'pid=', '-o', 'command=']).split('\n');
  return new Map(lines.map((line) => [Number.parseInt(line, 10), line]));
}

/** Empty where there is no `ps`. Its columns and its time would else follow the user's language and time zone. */
function runPs(args: readonly string[]): string {
  const { stdout } = spawnSync('ps', args, {
    env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: 5_000,
  });
  return typeof stdout === 'string' ? stdout : '';
}
