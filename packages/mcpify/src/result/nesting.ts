/**
 * Objects and lists inside one another, at most: more than any argument or result has, and few enough for whatever goes
 * down them by recursion (validators, `JSON.stringify`), here and in clients.
 */
export const MOST_LEVELS = 1_000;

/** Whether a value that came out of `JSON.parse` is nested deeper than that. Goes down level by level, not by recursion. */
export function isNestedTooDeep(json: unknown): boolean {
  let level = isNest(json) ? [json] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MOST_LEVELS) return true;
    level = nestsIn(level);
  }
  return false;
}

/** By plain loops: every message passes here. */
function nestsIn(level: readonly object[]): object[] {
  const found: object[] = [];
  for (const nest of level) {
    for (const member of Object.values(nest) as unknown[]) if (isNest(member)) found.push(member);
  }
  return found;
}

/** Whether `JSON.stringify` gave up on a value for its depth. What a `toJSON` of the value throws is something else. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

function isNest(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
