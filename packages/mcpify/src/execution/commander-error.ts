import type { CallEnd } from '../result/outcome.js';

export interface CommanderError {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
}

/** By shape: the error is of the copy of commander that the program uses. */
export function isCommanderError(error: unknown): error is CommanderError {
  const { code, exitCode } = (error ?? {}) as { code?: unknown; exitCode?: unknown };
  return typeof code === 'string' && code.startsWith('commander.') && typeof exitCode === 'number';
}

/** What was to be said is printed; the message is a placeholder, or the version again. */
const PRINTED = new Set([
  'commander.help',
  'commander.helpDisplayed',
  'commander.version',
  'commander.executeSubCommandAsync',
]);

/** How a call ends that commander ended, or the command by `error()`. */
export function toCommanderEnd({ exitCode, code, message }: CommanderError): CallEnd {
  return PRINTED.has(code)
    ? { kind: 'exited', exitCode }
    : { kind: 'commanderError', exitCode, code, message };
}
