import readline from 'node:readline';
import readlinePromises from 'node:readline/promises';
import { Readable } from 'node:stream';

import { CallEnded } from './call-ended.js';
import type { Invocation } from './invocation.js';
import { keepProperty } from './kept-properties.js';
import { belongsToHost, currentCall } from './running-call.js';

/**
 * No command waits for input that cannot come (B4.5): stdin is, for each call, a fresh stream that has ended, and a
 * prompt ends the call at once.
 */
export function patchStdin(): void {
  const stdin = createStdin();
  // An accessor, which opens the stream when it is first asked for.
  const { get } = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
  Object.defineProperty(process, 'stdin', {
    get: () => (belongsToHost() ? (get?.call(process) as unknown) : stdin),
    configurable: true,
    enumerable: true,
  });
  keepProperty(process, 'stdin');
  patchReadline(stdin);
}

/** One object for all calls, also where it was taken while the program was loaded: it speaks to the call's own. */
function createStdin(): Readable {
  const outside = endedStream();
  const current = (): Readable => {
    const call = currentCall();
    return call ? (call.stdin ??= endedStream()) : outside;
  };
  return new Proxy(outside, {
    get(_target, property) {
      const stream = current();
      const value = Reflect.get(stream, property, stream) as unknown;
      return typeof value === 'function' ? (value as () => unknown).bind(stream) : value;
    },
    set: (_target, property, value) => Reflect.set(current(), property, value),
    has: (_target, property) => Reflect.has(current(), property),
  });
}

/** Prompts that draw themselves ask for single keys; what they draw belongs to the result, so the end waits for it. */
class EndedStdin extends Readable {
  readonly fd = 0;
  readonly isTTY = false;
  readonly isRaw = false;

  override _read(): void {
    this.push(null);
  }

  setRawMode(isRaw: boolean): this {
    if (isRaw) refuseSoon();
    return this;
  }

  override on(event: string | symbol, listener: (...args: never[]) => void): this {
    if (event === 'keypress') refuseSoon();
    return super.on(event, listener as () => void);
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

function endedStream(): Readable {
  return new EndedStdin();
}

type Prompting = (this: Interface, ...args: unknown[]) => unknown;

interface Interface {
  readonly input?: unknown;
  readonly output?: { write(text: string): unknown };
  getPrompt?(): string;
}

function patchReadline(stdin: Readable): void {
  for (const prototype of [readline.Interface.prototype, readlinePromises.Interface.prototype]) {
    const methods = prototype as unknown as Record<string, Prompting>;
    for (const name of ['question', 'prompt']) {
      const original = methods[name];
      if (!original) continue;
      const value: Prompting = function (...args) {
        const call = currentCall();
        if (!call || (this.input !== stdin && this.input !== call.stdin)) return original.apply(this, args);
        const question = name === 'question' ? args[0] : this.getPrompt?.();
        if (typeof question === 'string' && question !== '') this.output?.write(`${question}\n`);
        return refuse();
      };
      Object.defineProperty(methods, name, { configurable: true, writable: true, value });
    }
  }
}

/** Ends the call that asks, and stops what it does. */
function refuse(): never {
  const call = currentCall();
  const message = refusal(call?.invocation);
  call?.end({ kind: 'refused', message });
  throw new CallEnded(message);
}

function refuseSoon(): void {
  const call = currentCall();
  if (call) setImmediate(() => call.end({ kind: 'refused', message: refusal(call.invocation) }));
}

/** Options that answer for the user. */
const ANSWERS = /^(?:yes|force|assume-?yes|confirm|auto-approve|non-?interactive|no-?input|no-?prompt)$/i;

function refusal(invocation: Invocation | undefined): string {
  const answer = invocation?.command.options.find((option) => ANSWERS.test(option.name()));
  const wayOut = answer
    ? `Perhaps the parameter "${answer.attributeName()}" answers it.`
    : 'Pass the answer as a parameter, if the tool has one for it.';
  return `The command asked for input on the terminal, where nobody can answer during a tool call. ${wayOut}`;
}
