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

/** Option values of one session by property name (B7). What may enter is the caller's to decide. */
export class OptionCache {
  private readonly values = new Map<string, RememberedValue>();

  get isEmpty(): boolean {
    return this.values.size === 0;
  }

  get(property: string): RememberedValue | undefined {
    return this.values.get(property);
  }

  /** In the order in which the values were set. */
  entries(): readonly (readonly [property: string, remembered: RememberedValue])[] {
    return [...this.values];
  }

  /** Replaces what was there; the newest stands last. */
  set(property: string, remembered: RememberedValue): void {
    const { value } = remembered;
    this.values.delete(property);
    // A copy: what a command does to its options must not reach the next call.
    const isPlain = typeof value !== 'object' || value === null;
    this.values.set(property, isPlain ? remembered : { ...remembered, value: structuredClone(value) });
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
