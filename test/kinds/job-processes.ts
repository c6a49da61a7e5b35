import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll } from 'vitest';

let folder: string | undefined;
let count = 0;

afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** A path of the test file's own, at which nothing is yet. */
export function newPath(): string {
  folder ??= mkdtempSync(join(tmpdir(), 'mcpify-kinds-'));
  count += 1;
  return join(folder, String(count));
}

/** Resolves once this holds; a test that waits in vain ends with its own time limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(10);
}

export const untilThere = (path: string) => until(() => existsSync(path));

/** The numbers that a command has written, one a line. */
export function pidsIn(path: string): number[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean).map(Number) : [];
}

/** A zombie does not run. */
export function isRunning(pid: number): boolean {
  try {
    const state = /\) (\w)[^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1];
    return state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

/** Processes that name this on their command line or in their environment. */
export function processesOf(text: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && isRunning(pid))
    .filter((pid) => ['cmdline', 'environ'].some((file) => readProc(pid, file).includes(text)));
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
