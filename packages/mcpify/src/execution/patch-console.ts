import { Console } from 'node:console';
import { format } from 'node:util';

import type { LogLevel } from './invocation.js';
import { keepProperty } from './kept-properties.js';
import { ownPerCall } from './own-per-call.js';
import { ownerOfWrite, type RunningCall } from './running-call.js';

/**
 * The level of what each method prints (B5.1). `console.error` is an error and `console.warn` a warning; text that is
 * written to stderr itself is `info`, since tools print their progress there.
 */
const LEVELS: Readonly<Record<string, LogLevel>> = {
  log: 'info',
  info: 'info',
  dir: 'info',
  dirxml: 'info',
  table: 'info',
  group: 'info',
  groupCollapsed: 'info',
  groupEnd: 'info',
  count: 'info',
  countReset: 'info',
  time: 'info',
  timeEnd: 'info',
  timeLog: 'info',
  debug: 'debug',
  trace: 'debug',
  warn: 'warning',
  assert: 'error',
  error: 'error',
};

/** The methods that print nothing but their arguments. */
const PLAIN: Readonly<Record<string, 'stdout' | 'stderr'>> = {
  log: 'stdout',
  info: 'stdout',
  debug: 'stdout',
  warn: 'stderr',
  error: 'stderr',
};

type Method = (...args: unknown[]) => unknown;

const patched = new WeakSet<object>();

/**
 * What a call prints by `console` goes to the streams, in the name of the call, also where a test runner has put a
 * console of its own in place. Called at the start of each call too: something may have replaced it since.
 */
export function patchConsole(): void {
  keepConsole();
  const target = globalThis.console as unknown as Record<string, Method | undefined>;
  if (patched.has(target)) return;
  patched.add(target);
  for (const [name, level] of Object.entries(LEVELS)) {
    const original = target[name];
    if (typeof original !== 'function') continue;
    target[name] = named(name, function (this: unknown, ...args) {
      const call = ownerOfWrite();
      return call ? print(call, name, level, args) : original.apply(this, args);
    });
    ownPerCall(target, name);
  }
}

let isKept = false;

/** A command that replaces the console as a whole replaces its own. */
function keepConsole(): void {
  if (isKept) return;
  isKept = true;
  ownPerCall(globalThis, 'console');
  keepProperty(globalThis, 'console');
}

function print(call: RunningCall, name: string, level: LogLevel, args: unknown[]): void {
  const before = call.consoleLevel;
  call.consoleLevel = level;
  try {
    const stream = PLAIN[name];
    // Making a Console costs more than the whole rest of a call: most print single lines only.
    if (stream && !call.console) process[stream].write(`${format(...args)}\n`);
    else (consoleOf(call) as unknown as Record<string, Method>)[name]?.(...args);
  } finally {
    call.consoleLevel = before;
  }
}

/** Counters, timers and indentation are the call's own. */
function consoleOf(call: RunningCall): Console {
  return (call.console ??= new Console({ stdout: process.stdout, stderr: process.stderr }));
}

function named(name: string, method: Method): Method {
  return Object.defineProperty(method, 'name', { value: name });
}
