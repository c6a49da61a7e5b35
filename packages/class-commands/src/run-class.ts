import { takesReturned } from '@mcpify/markers';
import type { Command } from 'commander';

import { boundFields, type BoundField } from './bind-fields.js';
import { printReturned } from './print-returned.js';
import type { AnyClass } from './settings.js';
import { NULL } from './value-reader.js';

/** A class as `create` gets it: with a constructor that takes whatever its services are. */
// What a container asks for: parameters of no known type.
// oxlint-disable-next-line typescript/no-explicit-any
export type Constructor<Instance extends object = object> = new (...services: any[]) => Instance;

/**
 * Makes the instance of one call, with its services: `(commandClass) => container.get(commandClass)`.
 *
 * @default `new commandClass()`
 */
export type CreateInstance = <Instance extends object>(
  commandClass: Constructor<Instance>,
) => Instance | Promise<Instance>;

/**
 * The action of a command: a new instance, the values of this call, `run(command)`. What that returns is printed, but
 * where a tool call takes it.
 */
export function toAction(commandClass: AnyClass, create: CreateInstance | undefined) {
  const constructor = commandClass as unknown as Constructor<Runnable>;
  return (...args: unknown[]): unknown => {
    const command = args.at(-1) as Command;
    // Asked at once: the command may parse again, within the same call.
    const isTaken = takesReturned(command);
    const start = (instance: Runnable) => {
      assignFields(instance as unknown as Values, boundFields.get(command) ?? [], command);
      const returned = instance.run(command);
      return isTaken ? returned : afterwards(returned, printReturned);
    };
    // `program.parse()` runs to the end what waits for nothing.
    const instance = create ? create(constructor) : new constructor();
    return instance instanceof Promise ? instance.then(start) : start(instance);
  };
}

interface Runnable {
  run(command: Command): unknown;
}

/** @returns the same value, behind the work that is done with it */
function afterwards(value: unknown, work: (value: unknown) => void): unknown {
  const { then } = (value ?? {}) as { readonly then?: unknown };
  if (typeof then === 'function') {
    return (value as PromiseLike<unknown>).then((settled) => {
      work(settled);
      return settled;
    });
  }
  work(value);
  return value;
}

type Values = Record<string, unknown>;

/** What nobody gave leaves the initial value, new in each instance, in place. */
function assignFields(instance: Values, fields: readonly BoundField[], command: Command): void {
  for (const field of fields) {
    const { name } = field;
    if (field.kind === 'options') {
      const set = field.set as unknown as Constructor;
      const options = (instance[name] ??= new set()) as Values;
      assignFields(options, field.fields, field.command);
    } else {
      const { isGiven, value } =
        field.kind === 'option' ? ofOption(command, field) : ofArgument(command, field);
      if (value !== undefined && (isGiven || instance[name] === undefined)) instance[name] = value;
    }
  }
}

interface Given {
  readonly isGiven: boolean;
  readonly value: unknown;
}

function ofOption(command: Command, { attribute }: { readonly attribute: string }): Given {
  const source = command.getOptionValueSource(attribute);
  const isGiven = source !== undefined && source !== 'default';
  const value = command.getOptionValue(attribute) as unknown;
  if (value !== NULL) return { isGiven, value };
  command.setOptionValueWithSource(attribute, null, source ?? 'cli');
  return { isGiven, value: null };
}

function ofArgument(command: Command, { index }: { readonly index: number }): Given {
  return { isGiven: index < command.args.length, value: command.processedArgs[index] as unknown };
}
