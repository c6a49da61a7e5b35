/** One reason why a check does not pass. */
export interface Finding {
  /** Lines of the draft, from 1, rising. */
  readonly lines: readonly number[];
  /** The sentence behind the lines. */
  readonly text: string;
}

/** `PASS`, or `FAIL (n)` and a line for each finding. */
export function toReport(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'PASS';
  return [`FAIL (${findings.length})`, ...findings.map(toLine)].join('\n');
}

function toLine({ lines, text }: Finding): string {
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}: ${text}`;
}
