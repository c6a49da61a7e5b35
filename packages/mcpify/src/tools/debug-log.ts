import type { LogLevel } from '../execution/invocation.js';

export interface DebugLog {
  readonly lines: readonly string[];
  add(level: LogLevel, data: unknown): void;
}

/** What comes on top is dropped, and that is said. */
const MOST_LINES = 1_000;

const LONGEST_LINE = 2_000;

/** Collects what an action logs during a call with `debug: true`; what it prints is in the result anyway. */
export function createDebugLog(): DebugLog {
  const lines: string[] = [];
  return {
    lines,
    add(level, data) {
      if (lines.length > MOST_LINES) return;
      const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? String(data));
      const shown = text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
      lines.push(lines.length === MOST_LINES ? '[… further lines left out …]' : `${level}: ${shown}`);
    },
  };
}
