import { setTimeout as delay } from 'node:timers/promises';

import type { StoredTask, StoredTasks } from '../tasks/stored-tasks.js';
import { styled, type Console } from './console.js';
import { taskTable } from './task-table.js';

const REFRESH_MS = 1_000;

export function showTable(tasks: readonly StoredTask[], { stdout }: Console): void {
  stdout.write(`${linesOf(tasks, stdout).join('\n')}\n`);
}

/** Draws the table over itself again and again, until the process is ended. */
export async function watchTable(
  store: StoredTasks,
  { stdout }: Console,
  { limit }: { readonly limit: number },
): Promise<never> {
  let drawnLines = 0;
  for (;;) {
    const lines = fit(linesOf(await store.list({ limit }), stdout), stdout.rows);
    const up = drawnLines > 0 ? `\u001b[${drawnLines}A` : '';
    // Without wrapping, a line of the table is a line of the terminal.
    stdout.write(`\u001b[?7l${up}\r\u001b[J${lines.join('\n')}\n\u001b[?7h`);
    drawnLines = lines.length;
    await delay(REFRESH_MS);
  }
}

function linesOf(tasks: readonly StoredTask[], stdout: Console['stdout']): string[] {
  if (tasks.length === 0) return [styled(stdout, 'dim', 'No tasks.')];
  return taskTable(tasks, stdout, Date.now());
}

/** What has scrolled off the screen cannot be drawn over. A terminal that knows no size says 0. */
function fit(lines: string[], rows: number | undefined): string[] {
  return rows ? lines.slice(0, Math.max(1, rows - 1)) : lines;
}
