import type { ValueShape } from '../schema/command-model.js';

/** A value that a caller gave for an option, as later calls find it. */
export interface RememberedValue {
  /** Coerced and validated. */
  readonly value: unknown;
  /** Of the option that took it: an option of the same name and another shape is another option (B7.1). */
  readonly shape: ValueShape;
  /** The tool whose call set it. */
  readonly toolName: string;
  /** Milliseconds since 1970. */
  readonly setAtMs: number;
}

interface Entry {
  readonly remembered: RememberedValue;
  /** The higher, the newer. */
  readonly change: number;
}

/** Option values of one session by property name (B7). What may enter is the caller's to decide. */
export class OptionCache {
  private readonly values = new Map<string, Entry>();
  private changes = 0;

  /** Whether it holds a value of an option that is not among these. */
  hasBeside(given: ReadonlyMap<string, unknown>): boolean {
    for (const property of this.values.keys()) if (!given.has(property)) return true;
    return false;
  }

  get(property: string): RememberedValue | undefined {
    return this.values.get(property)?.remembered;
  }

  /** In the order in which the values were set. */
  entries(): readonly (readonly [property: string, remembered: RememberedValue])[] {
    return [...this.values]
      .sort(([, one], [, other]) => one.change - other.change)
      .map(([property, { remembered }]) => [property, remembered]);
  }

  /** Replaces what was there; the newest stands last. */
  set(property: string, remembered: RememberedValue): void {
    const { value } = remembered;
    this.changes += 1;
    // A copy: what a command does to its options must not reach the next call.
    const isPlain = typeof value !== 'object' || value === null;
    const kept = isPlain ? remembered : { ...remembered, value: structuredClone(value) };
    this.values.set(property, { remembered: kept, change: this.changes });
  }

  /** @returns the names that were forgotten */
  clear(property?: string): readonly string[] {
    if (property === undefined) {
      const names = [...this.values.keys()];
      this.values.clear();
      return names;
    }
    return this.values.delete(property) ? [property] : [];
  }
}
