import { basename, dirname } from 'node:path';

import type { StoredTask } from '../tasks/stored-tasks.js';
import { formatBytes, formatDuration } from './amounts.js';
import { styled, type Style, type TextStream } from './console.js';
import { describeStatus, STATUS_STYLES } from './describe-task.js';

/** Seven characters of time, and some that tell tasks of the same moment apart. */
const SHORT_ID_LENGTH = 13;
const GAP = '  ';

interface Cell {
  readonly text: string;
  readonly style?: Style;
}

/** Lines of a table, without line feeds. On a terminal ids are cut: their first characters are enough for a command. */
export function taskTable(tasks: readonly StoredTask[], stream: TextStream, nowMs: number): string[] {
  const hasProjects = new Set(tasks.map(({ entry }) => entry)).size > 1;
  const header = ['ID', 'TOOL', 'STATUS', 'STARTED', 'TOOK', 'OUTPUT', ...(hasProjects ? ['PROJECT'] : [])];
  const rows: Cell[][] = [
    header.map((text) => ({ text, style: 'bold' })),
    ...tasks.map((stored) => [
      ...cellsOf(stored, stream.isTTY === true, nowMs),
      ...(hasProjects ? [{ text: projectOf(stored.entry) }] : []),
    ]),
  ];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.text.length ?? 0)));
  return rows.map((row) =>
    row
      .map(({ text, style }, column) => {
        const shown = style ? styled(stream, style, text) : text;
        return column === row.length - 1 ? shown : shown + ' '.repeat((widths[column] ?? 0) - text.length);
      })
      .join(GAP),
  );
}

function cellsOf({ task }: StoredTask, isShort: boolean, nowMs: number): Cell[] {
  const ageMs = Math.max(0, nowMs - Date.parse(task.createdAt));
  return [
    { text: isShort ? task.taskId.slice(0, SHORT_ID_LENGTH) : task.taskId },
    { text: task.toolName },
    { text: describeStatus(task), style: STATUS_STYLES[task.status] },
    { text: `${formatDuration(ageMs)} ago` },
    { text: formatDuration(task.elapsedMs) },
    { text: formatBytes(task.outputBytes) },
  ];
}

const BUILD_FOLDERS = new Set(['dist', 'build', 'out', 'lib', 'src', 'bin']);

/** The folder that the CLI lies in. */
function projectOf(entry: string): string {
  let folder = dirname(entry);
  while (BUILD_FOLDERS.has(basename(folder))) folder = dirname(folder);
  return basename(folder) || entry;
}
