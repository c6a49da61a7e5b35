import type { Duplex } from 'node:stream';

import { readReport, type ChildReport } from './child-reports.js';

/** @param signal aborted when the child has ended */
export type AnswerChild = (
  question: { readonly message: string; readonly schema: Readonly<Record<string, unknown>> },
  signal: AbortSignal,
) => Promise<unknown>;

/** A line without end is no question. */
const LONGEST_LINE = 1_000_000;

/**
 * Passes on what a child asks (`child-questions.ts`) and reports (`child-reports.ts`) over its lifeline: a JSON line each.
 *
 * @returns withdraws what is still open: the child has ended
 */
export function answerChild(
  lifeline: Duplex,
  answer: AnswerChild,
  onReport: (report: ChildReport) => void,
): () => void {
  const controller = new AbortController();
  let unfinishedLine = '';
  lifeline.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (unfinishedLine + chunk).split('\n');
    unfinishedLine = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    for (const line of lines) {
      const report = asReport(line);
      if (report) onReport(report);
      else void pass(lifeline, line, answer, controller.signal);
    }
  });
  // It has ended: nobody reads the answer.
  lifeline.on('error', () => {});
  return () => controller.abort();
}

/** What is no JSON is told to be wrong as a question. */
function asReport(line: string): ChildReport | undefined {
  try {
    return readReport(JSON.parse(line) as object);
  } catch {
    return undefined;
  }
}

async function pass(lifeline: Duplex, line: string, answer: AnswerChild, signal: AbortSignal): Promise<void> {
  let id: unknown;
  let reply: object;
  try {
    const question = JSON.parse(line) as {
      readonly id: unknown;
      readonly message: string;
      readonly schema: {};
    };
    ({ id } = question);
    reply = { answer: await answer({ message: question.message, schema: question.schema }, signal) };
  } catch (error) {
    reply = { error: error instanceof Error ? error.message : String(error) };
  }
  if (!signal.aborted) lifeline.write(`${JSON.stringify({ id, ...reply })}\n`);
}
