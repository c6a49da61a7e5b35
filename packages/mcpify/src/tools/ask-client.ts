import type { Answer } from '@mcpify/markers';

import type { Ask, Question } from '../execution/invocation.js';
import { refuseQuestion } from '../result/refuse-question.js';
import { compileSchema, describeFault, findErrors } from '../schema/compile-schema.js';
import type { JsonSchema } from '../schema/json-schema.js';

/**
 * Asks the person behind the client, and holds the answer to the schema.
 *
 * @param ask undefined where the client cannot be asked
 * @param parameters names that a call may give: what to pass in place of an answer
 * @throws Error that names what to pass with the call, where nobody can be asked
 */
export async function askClient(
  ask: Ask | undefined,
  parameters: readonly string[],
  { message, schema }: Question,
  signal: AbortSignal,
): Promise<Answer> {
  checkQuestion(message, schema);
  if (!ask) throw new Error(refuseQuestion(message, schema, parameters));
  const { action, content } = await ask({ message, schema }, signal);
  if (action !== 'accept') return { action };
  const given = content ?? {};
  const fault = findFault({ message, schema }, given);
  if (fault !== undefined) throw new Error(fault);
  return { action, content: given };
}

/** Why the content of an answer is not what was asked for; undefined where it is. */
export function findFault({ message, schema }: Question, content: unknown): string | undefined {
  const [fault] = findErrors(() => compileSchema(schema as JsonSchema), content).slice(-1);
  if (!fault) return undefined;
  const place = fault.instanceLocation.replace(/^#\/?/, '') || 'the whole';
  return `The answer to ${JSON.stringify(message)} is not what was asked for: ${place}: ${describeFault(fault)}`;
}

const PLAIN_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array']);

/** What clients can show as a form; anything else would fail there, where the author does not see it. */
function checkQuestion(message: unknown, schema: unknown): void {
  if (typeof message !== 'string' || message === '') throw new TypeError('ask: the message must be a text');
  const { type, properties } = (schema ?? {}) as {
    type?: unknown;
    properties?: Readonly<Record<string, unknown>>;
  };
  const fields = Object.values(properties ?? {});
  const isForm =
    type === 'object' &&
    fields.length > 0 &&
    fields.every((field) => PLAIN_TYPES.has((field as { type?: string } | null)?.type ?? ''));
  if (isForm) return;
  throw new TypeError(
    "ask: the schema must be an object of plain values: { type: 'object', properties: { name: { type: 'string' } } }",
  );
}
