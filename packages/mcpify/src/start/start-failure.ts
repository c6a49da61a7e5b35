import { UsageError } from '../errors/usage-error.js';
import { describeError } from '../result/describe-error.js';

/** Why a start failed, in one line for stderr that names the way out; `DEBUG=1` adds the stack below it. */
export function describeStartFailure(error: unknown): string {
  const reason = describeReason(error);
  const stack = stackOf(error);
  if (process.env['DEBUG'] === '1' && stack !== undefined) return `${reason}\n${stack}`;
  if (error instanceof UsageError) return reason;
  const sentence = `The program failed to load: ${reason}${placeOf(error)}`.replace(/\.$/, '');
  return `${sentence}. DEBUG=1 in the environment shows the stack.`;
}

/** The reason alone, in one line: also for a client, who learns nothing of this machine that the error does not say. */
export function describeReason(error: unknown): string {
  // What words a call's end would speak of a command here.
  if (error === undefined || error === null) return `${error} was thrown`;
  const text =
    error instanceof UsageError ? `${error.message} (${error.code})` : firstLine(describeError(error, false));
  return text.replaceAll(/\s*[\r\n]\s*/g, ' ');
}

/** Of a syntax error the message never tells the file, and the stack only at times, in its first line. */
function placeOf(error: unknown): string {
  if (!(error instanceof SyntaxError)) return '';
  const place = firstLine(stackOf(error) ?? '');
  return /^file:\/\/\S+:\d+$/.test(place)
    ? ` (${place})`
    : ' (started by itself with node, its module tells the place)';
}

function stackOf(error: unknown): string | undefined {
  const { stack } = (error ?? {}) as { stack?: unknown };
  return typeof stack === 'string' ? stack : undefined;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
