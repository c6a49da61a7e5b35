import { spawnSync } from 'node:child_process';

import type { ProcessEntry, ProcessSource } from './process-source.js';

/**
 * Windows tells parents only; the tree is walked by `taskkill` (`windows-tree.ts`). A start time in milliseconds since
 * 1970 outlives a restart of the machine, so boots need no telling apart.
 */
export const windowsProcesses: ProcessSource = {
  bootId: () => '',
  pidNamespace: () => '',
  read: readProcess,
  takeSnapshot: () => undefined,
  isStopped: () => true,
};

function readProcess(pid: number): ProcessEntry | undefined {
  if (!exists(pid)) return undefined;
  const startTime = readStartTime(pid);
  if (startTime === undefined) return undefined;
  return { pid, parentPid: 0, groupId: 0, sessionId: 0, startTime, state: 'running' };
}

/** Far cheaper than PowerShell, and most questions are about processes that have ended. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readStartTime(pid: number): string | undefined {
  const script = `([DateTimeOffset](Get-Process -Id ${pid}).StartTime).ToUnixTimeMilliseconds()`;
  const { stdout } = spawnSync('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    windowsHide: true,
    timeout: 10_000,
  });
  return /^\d+$/.exec((stdout ?? '').trim())?.[0];
}
