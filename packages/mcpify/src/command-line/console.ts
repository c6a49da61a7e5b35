import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

/** Where a command writes to; `process` is one. */
export interface Console {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
}

/** A terminal, a pipe or a file. */
export type TextStream = Writable & { readonly isTTY?: boolean; readonly rows?: number };

export type Style = Extract<Parameters<typeof styleText>[0], string>;

/** Colours on a terminal alone, and nowhere where the environment asks for none (`NO_COLOR`). */
export function styled(stream: TextStream, style: Style, text: string): string {
  return styleText(style, text, { stream });
}
