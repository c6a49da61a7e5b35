import { inspect } from 'node:util';

import { withNodeFirst } from '../child-process/node-first.js';
import { CallEnded } from './call-ended.js';
import { keepProperty, restoreKept } from './kept-properties.js';
import { ownPerCall } from './own-per-call.js';
import { replaceMethod } from './replace-method.js';
import { currentCall, isGuest, type RunningCall } from './running-call.js';

/** What a command changes in its process ends with its call: environment, working directory, argv (B4.3). */
export function patchEnvironment(): void {
  if (!isGuest()) prepareEnvironment(process.env);
  patchEnv(process.env);
  patchArgv();
  patchChdir();
  patchUmask();
  for (const name of ['cwd', 'chdir']) ownPerCall(process, name);
  for (const name of ['env', 'argv', 'cwd']) keepProperty(process, name);
}

function prepareEnvironment(environment: NodeJS.ProcessEnv): void {
  // Read by colour libraries when they are imported; no command has a terminal here.
  environment['NO_COLOR'] = '1';
  delete environment['FORCE_COLOR'];
  delete environment['CLICOLOR_FORCE'];
  Object.assign(environment, withNodeFirst(environment));
}

/** Undoes what can be undone when a call has ended. */
export function restoreEnvironment(call: RunningCall): void {
  if (call.cwdBefore !== undefined) tryChdir(call.cwdBefore);
  if (call.umaskBefore !== undefined) umask(call.umaskBefore);
  restoreKept();
}

type Environment = NodeJS.ProcessEnv;

function patchEnv(real: Environment): void {
  const environment = createEnvironment(real);
  Object.defineProperty(process, 'env', {
    configurable: true,
    enumerable: true,
    get: () => environment,
    // Another object in its place is meant as other values: the object itself may be in many hands by now.
    set(next: Environment) {
      const values = { ...next };
      for (const name of Object.keys(environment)) if (!(name in values)) delete environment[name];
      Object.assign(environment, values);
    },
  });
}

/** Reads see the call's own changes over the real environment; writes outside of calls reach the real one. */
function createEnvironment(real: Environment): Environment {
  const changes = () => currentCall()?.environment;
  const ownChanges = (name: string | symbol) => {
    const call = typeof name === 'string' ? currentCall() : undefined;
    return call && (call.environment ??= new Map<string, string | undefined>());
  };
  const environment: Environment = new Proxy(emptyTarget(), {
    get(_target, name) {
      const own = changes();
      const key = toKey(name);
      return own?.has(key) ? own.get(key) : Reflect.get(real, name);
    },
    set(_target, name, value) {
      const own = ownChanges(name);
      if (!own) return Reflect.set(real, name, value);
      own.set(toKey(name), String(value));
      return true;
    },
    has(_target, name) {
      const own = changes();
      const key = toKey(name);
      return own?.has(key) ? own.get(key) !== undefined : Reflect.has(real, name);
    },
    deleteProperty(_target, name) {
      const own = ownChanges(name);
      if (!own) return Reflect.deleteProperty(real, name);
      own.set(toKey(name), undefined);
      return true;
    },
    defineProperty(_target, name, descriptor) {
      const own = ownChanges(name);
      if (!own) return Reflect.defineProperty(real, name, descriptor);
      own.set(toKey(name), String(descriptor.value));
      return true;
    },
    ownKeys() {
      const own = changes();
      const keys = Reflect.ownKeys(real);
      if (!own) return keys;
      const unchanged = keys.filter((name) => !own.has(toKey(name)));
      return [...unchanged, ...[...own.keys()].filter((name) => own.get(name) !== undefined)];
    },
    getOwnPropertyDescriptor(_target, name) {
      const own = changes();
      const key = toKey(name);
      if (!own?.has(key)) return Reflect.getOwnPropertyDescriptor(real, name);
      const value = own.get(key);
      if (value === undefined) return undefined;
      return { value, writable: true, enumerable: true, configurable: true };
    },
  });
  return environment;
}

/** `inspect` looks past a proxy at its target: the target shows what the proxy holds. */
function emptyTarget(): Environment {
  const prototype = Object.create(Object.prototype, {
    [inspect.custom]: {
      value(this: Environment) {
        return { ...this };
      },
    },
  }) as object;
  return Object.create(prototype) as Environment;
}

/** On Windows `Path` and `PATH` are one variable. */
function toKey(name: string | symbol): string {
  return process.platform === 'win32' ? String(name).toUpperCase() : (name as string);
}

/** Programs that read `process.argv` themselves see that of their own call. */
function patchArgv(): void {
  let shared = process.argv;
  Object.defineProperty(process, 'argv', {
    configurable: true,
    enumerable: true,
    get() {
      const call = currentCall();
      return call ? (call.argv ??= [...shared.slice(0, 2), ...call.invocation.argv]) : shared;
    },
    set(argv: string[]) {
      const call = currentCall();
      if (call) call.argv = argv;
      else shared = argv;
    },
  });
}

const chdir = process.chdir.bind(process);
const cwd = process.cwd.bind(process);
const umask = process.umask.bind(process);

function patchChdir(): void {
  replaceMethod(process, 'chdir', () => (directory) => {
    const call = currentCall();
    if (call?.ended) throw new CallEnded('process.chdir()');
    if (call?.invocation.concurrent) {
      throw new Error(
        'process.chdir() would move every call that runs at this moment: a command that is marked McpConcurrent must not call it.',
      );
    }
    const before = call && currentFolder();
    chdir(directory as string);
    if (call) call.cwdBefore ??= before;
  });
}

/** Undefined where the folder is gone: the way back is closed. */
function currentFolder(): string | undefined {
  try {
    return cwd();
  } catch {
    return undefined;
  }
}

function patchUmask(): void {
  replaceMethod(process, 'umask', () => (mask) => {
    if (mask === undefined) return umask();
    const before = umask(mask as number);
    const call = currentCall();
    if (call && !call.ended) call.umaskBefore ??= before;
    return before;
  });
}

function tryChdir(directory: string): void {
  try {
    chdir(directory);
  } catch {
    // The folder is gone: the next command fails by itself where it needs one.
  }
}
