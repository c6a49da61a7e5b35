import type { ToolMarks } from '@mcpify/markers';

import { displayPath, type CommandNode } from '../schema/command-node.js';
import { cleanText } from '../schema/value-schema.js';

/** In characters. OpenAI's API refuses the whole request where one tool has more (schema/client-rules.ts). */
export const LONGEST_DESCRIPTION = 1_024;

export interface ToolDescription {
  readonly text: string;
  /** Something was left out. */
  readonly isCut: boolean;
}

/**
 * What the model reads about a tool (B2.4): the author's text, else the command's description, else its summary;
 * then what the schema cannot say. Of what is too long for clients the end of the text is left out, and notes for which
 * there is no room beside half of it (K17).
 */
export function toDescription(
  command: CommandNode,
  marks: ToolMarks,
  notes: readonly string[],
): ToolDescription {
  const text =
    marks.tool?.description ||
    cleanText(command.description()) ||
    cleanText(command.summary()) ||
    `Runs "${displayPath(command)}".`;
  if (notes.length === 0 && !marks.longRunning && text.length <= LONGEST_DESCRIPTION) {
    return { text, isCut: false };
  }
  const background = marks.longRunning ? [IN_BACKGROUND] : [];
  const whole = [text, ...notes, ...background].join('\n');
  if (whole.length <= LONGEST_DESCRIPTION) return { text: whole, isCut: false };
  return { text: cutDescription(text, notes, background), isCut: true };
}

/** B2.4: one short sentence. */
const IN_BACKGROUND = 'Runs in the background: returns a taskId at once.';

/** So much of the text is kept, whatever else is to be said. */
const SHORTEST_TEXT = 512;

function cutDescription(text: string, notes: readonly string[], background: readonly string[]): string {
  const kept: string[] = [];
  const lengthWith = (...more: readonly string[]) => ['', ...kept, ...more, ...background].join('\n').length;
  const room = LONGEST_DESCRIPTION - Math.min(text.length, SHORTEST_TEXT);
  for (const note of notes) if (lengthWith(note) <= room) kept.push(note);
  return [cutAtWord(text, LONGEST_DESCRIPTION - lengthWith()), ...kept, ...background].join('\n');
}

function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length - 1);
  const end = head.search(/\s\S*$/);
  // A text without blanks is cut anywhere, but not within a character.
  return `${end > length / 2 ? head.slice(0, end) : head.replace(/[\uD800-\uDBFF]$/, '')}…`;
}
