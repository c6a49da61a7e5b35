import type { RememberedValue } from '../session/option-cache.js';
import type { ToolResult } from './tool-result.js';

export interface SessionFacts {
  /** Values that the call took from its session, by property. */
  readonly taken: ReadonlyMap<string, RememberedValue>;
  /** The handle, where the call began the session. */
  readonly handle: string | undefined;
  /** What the parameter is called that takes the handle. */
  readonly parameter: string;
}

/**
 * Names what a call took from the session, and a new handle, in a block of its own behind the output: failed calls
 * too, since a value that the caller did not send may be why (decision 5).
 */
export function withSessionNote<Result extends ToolResult>(
  result: Result,
  { taken, handle, parameter }: SessionFacts,
): Result {
  if (taken.size === 0 && handle === undefined) return result;
  const lines: string[] = [];
  if (taken.size > 0) {
    const values = [...taken].map(
      ([property, { value, toolName }]) => `${property}=${shown(value)} (set by ${toolName})`,
    );
    lines.push(`[values used from the session] ${values.join(', ')}`);
  }
  if (handle !== undefined) {
    lines.push(
      `[new session] Pass "${parameter}": "${handle}" in later calls: they use the options of this one.`,
    );
  }
  return { ...result, content: [...result.content, { type: 'text', text: lines.join('\n') }] };
}

const LONGEST_VALUE = 200;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  if (text.length <= LONGEST_VALUE) return text;
  return `${text.slice(0, LONGEST_VALUE).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
