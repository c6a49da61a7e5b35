const BRAND = Symbol.for('mcpify.callEnded');

/**
 * Thrown where a command must not go on, after `process.exit` for example: on a command line nothing would run from
 * there on. Nobody but the bridge is meant to catch it.
 */
export class CallEnded extends Error {
  override readonly name = 'CallEnded';
  readonly [BRAND] = true;
}

/** By brand: another copy of this package may have thrown it. */
export function isCallEnded(error: unknown): boolean {
  return typeof error === 'object' && error !== null && BRAND in error;
}
