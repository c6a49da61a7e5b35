import { toFinalText } from '../result/to-final-text.js';
import type { TaskCall } from './call-task-tool.js';

/** A line of a progress bar that is drawn over again may be long; its end counts. */
const LAST_LINE_BYTES = 4_000;
const LONGEST_LAST_LINE = 300;

/** The last line that a task has printed so far, without its secrets; undefined where there is none. */
export async function readLastLine(
  { tasks, caller, signal }: Omit<TaskCall<never>, 'values'>,
  taskId: string,
): Promise<string | undefined> {
  const query = { maxBytes: LAST_LINE_BYTES, tailLines: 1 };
  const page = await tasks.backend.readOutput(taskId, query, caller, signal);
  if (!page) return undefined;
  const mask = tasks.maskOf(taskId);
  // It may begin within a line.
  const shown = mask ? mask.piece(page.text, { start: page.offsetBytes > 0 }) : page.text;
  const text = toFinalText(shown);
  const line = text.trimEnd().split('\n').at(-1) ?? '';
  if (line === '') return undefined;
  return line.length > LONGEST_LAST_LINE ? `${line.slice(0, LONGEST_LAST_LINE)}…` : line;
}
