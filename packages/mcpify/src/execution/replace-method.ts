export type AnyFunction = (...args: unknown[]) => unknown;

/** Puts another function in the place of a method, with everything that hangs on the first (`util.promisify`). */
export function replaceMethod(
  target: object,
  name: string,
  toPatched: (original: AnyFunction) => AnyFunction,
): void {
  const methods = target as Record<string, AnyFunction | undefined>;
  const original = methods[name];
  if (typeof original !== 'function') return;
  const { prototype: _prototype, ...described } = Object.getOwnPropertyDescriptors(original);
  methods[name] = Object.defineProperties(toPatched(original), described);
}
