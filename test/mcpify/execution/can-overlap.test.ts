import { describe, expect, test } from 'vitest';

import { canOverlap } from '../../../packages/mcpify/src/execution/can-overlap.js';
import type { CommandNode } from '../../../packages/mcpify/src/schema/command-node.js';
import { MAJORS } from './majors.js';
import { caller, gate } from './run.js';

describe.each(MAJORS)('commander %s', (_major, commander) => {
  test('keeps its parse state where it can be made each call’s own', () => {
    expect(canOverlap(new commander.Command() as unknown as CommandNode)).toBe(true);
    class Mine extends commander.Command {}
    expect(canOverlap(new Mine() as unknown as CommandNode)).toBe(true);
  });

  test('one that keeps it elsewhere runs its calls one at a time', async () => {
    // As a future major might: the values are in a private field.
    class Future extends commander.Command {
      #values: Record<string, unknown> = {};
      override opts<T>(): T {
        return this.#values as T;
      }
      override setOptionValueWithSource(name: string, value: unknown): this {
        this.#values[name] = value;
        return this;
      }
      override getOptionValue(name: string): unknown {
        return this.#values[name];
      }
      override parseAsync(
        ...args: Parameters<InstanceType<typeof commander.Command>['parseAsync']>
      ): Promise<this> {
        return super.parseAsync(...args);
      }
    }
    const program = new Future('app');
    expect(canOverlap(program as unknown as CommandNode)).toBe(false);
    const { opened, open } = gate();
    const started: string[] = [];
    program.argument('<x>').action(async (x: string) => {
      started.push(x);
      await opened;
    });
    const call = caller(program as never);
    const calls = ['1', '2'].map((x) => call('', { args: ['--', x], concurrent: true }));
    expect(started).toEqual(['1']);
    open();
    await Promise.all(calls);
    expect(started).toEqual(['1', '2']);
  });
});
