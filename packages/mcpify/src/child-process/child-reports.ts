import type { LogLevel } from '@mcpify/markers';

/** What a child tells of itself, a JSON line on its lifeline each. */
export type ChildReport =
  | { readonly log: readonly [level: LogLevel, data: unknown] }
  | {
      readonly progress: readonly [
        done: number,
        total?: number | null | undefined,
        message?: string | undefined,
      ];
    };

/** @returns undefined where the line is something else */
export function readReport(line: object): ChildReport | undefined {
  const report = line as Partial<Record<'log' | 'progress', unknown>>;
  return Array.isArray(report.log) || Array.isArray(report.progress) ? (line as ChildReport) : undefined;
}
