import { toFinalText } from './to-final-text.js';

/** The longest error text that goes to a model, in characters. */
const LONGEST_TEXT = 4_000;

/**
 * One thrown value in words: name, message, causes. The stack tells of the machine and not of the mistake, so it is
 * given only when `DEBUG=1` is set for the server. Passwords in URLs are masked.
 *
 * @param mask hides secrets before a long text is cut
 */
export function describeError(
  error: unknown,
  withStack = process.env['DEBUG'] === '1',
  mask: (text: string) => string = (text) => text,
): string {
  const text = mask(maskUrlPasswords(toFinalText(tryToDescribe(error, withStack))));
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)} […]` : text;
}

function tryToDescribe(error: unknown, withStack: boolean): string {
  if (error === undefined || error === null)
    return `The command failed without a reason (it threw ${error}).`;
  try {
    return describeThrown(error, withStack, 0);
  } catch {
    // A member that throws when it is read.
    return 'The command failed with an error that cannot be shown.';
  }
}

function maskUrlPasswords(text: string): string {
  return text.replaceAll(/\b([a-z][a-z0-9+.-]{0,30}:\/\/[^\s:@/]{0,256}):[^\s@/]{1,256}@/gi, '$1:***@');
}

const DEEPEST_CAUSE = 4;

function describeThrown(error: unknown, withStack: boolean, depth: number): string {
  if (!isErrorLike(error)) return describeValue(error);
  const lines = [withStack && typeof error.stack === 'string' ? error.stack : headline(error)];
  if (depth < DEEPEST_CAUSE) {
    if (Array.isArray(error.errors)) {
      lines.push(...error.errors.slice(0, 10).map((each) => `- ${describeThrown(each, false, depth + 1)}`));
    }
    if (error.cause !== undefined) {
      lines.push(`Caused by: ${describeThrown(error.cause, withStack, depth + 1)}`);
    }
  }
  return lines.join('\n');
}

interface ErrorLike {
  readonly name?: unknown;
  readonly message: string;
  readonly code?: unknown;
  readonly stack?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/** By shape: an error of another realm (vm, worker, jest) is no `instanceof Error`. */
function isErrorLike(value: unknown): value is ErrorLike {
  try {
    return typeof (value as ErrorLike | null | undefined)?.message === 'string';
  } catch {
    return false;
  }
}

function headline({ name, message, code }: ErrorLike): string {
  const kind = typeof name === 'string' && name !== '' ? name : 'Error';
  const suffix = typeof code === 'string' && !message.includes(code) ? ` (${code})` : '';
  return message === '' ? `${kind}${suffix}` : `${kind}: ${message}${suffix}`;
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'a value that cannot be shown';
  }
}
