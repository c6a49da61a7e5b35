import { createRequire } from 'node:module';

/** What the compiler says of a field's type. */
export type DesignType = 'string' | 'number' | 'boolean' | 'date' | 'list' | 'other' | undefined;

const METADATA = 'design:type';

/**
 * Gives compilers the `Reflect.metadata` that they write a field's type with, from now on. A decorator is made before
 * the type of its field is written. reflect-metadata itself is loaded by the first type that is written: most dialects
 * write none, and it costs the start of a CLI as much as some commands.
 */
export function keepDesignTypes({ type, choices, parse }: TypeSettings): void {
  if ((type ?? choices ?? parse) !== undefined || 'metadata' in Reflect) return;
  Object.defineProperty(Reflect, 'metadata', { configurable: true, writable: true, value: keepFirst });
}

/** Types were written, and reflect-metadata was not there. */
export function areTypesLost(): boolean {
  return isMissing;
}

let isMissing = false;

/** As reflect-metadata's own, which takes its place. */
function keepFirst(key: string, value: unknown) {
  if (!('defineMetadata' in Reflect)) load();
  const { defineMetadata } = Reflect as { defineMetadata?: (...args: unknown[]) => void };
  return (target: object, member?: string | symbol): void => defineMetadata?.(key, value, target, member);
}

function load(): void {
  try {
    const require = createRequire(import.meta.url);
    require('reflect-metadata/lite');
  } catch {
    // In a bundle it may be missing. Then no type is known, and the field that needs one is told so.
    isMissing = true;
  }
}

/** What tells a type in place of the compiler. */
interface TypeSettings {
  readonly type?: unknown;
  readonly choices?: unknown;
  readonly parse?: unknown;
}

/** Undefined where no type was emitted. `other`: a union, an enum in some compilers, a class, no annotation. */
export function designType(prototype: object, name: string): DesignType {
  const { getMetadata } = Reflect as {
    getMetadata?: (key: string, target: object, member: string) => unknown;
  };
  const type = getMetadata?.(METADATA, prototype, name);
  if (type === undefined) return undefined;
  return KNOWN.get(type) ?? 'other';
}

const KNOWN = new Map<unknown, DesignType>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Date, 'date'],
  [Array, 'list'],
]);
