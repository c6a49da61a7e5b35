import type { Question } from '../execution/invocation.js';

/** Questions by key, as the protocol words them since 2026-07-28. */
export function toInputRequests(questions: ReadonlyMap<string, Question>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...questions].map(([key, { message, schema }]) => [
      key,
      { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: schema } },
    ]),
  );
}
