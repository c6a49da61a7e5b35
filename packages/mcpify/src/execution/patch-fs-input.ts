import fs from 'node:fs';
import tty from 'node:tty';

import { belongsToHost, currentCall } from './running-call.js';
import { replaceMethod } from './replace-method.js';

/**
 * Descriptor 0 is at its end for every command, and the terminal, which is the way around a redirected stdin, is not
 * there (B4.5). Only inside of calls: the server's own descriptors are its own matter.
 */
export function patchFsInput(): void {
  patchReads();
  patchOpens();
  const { isatty } = tty;
  tty.isatty = (fd) => (fd <= 2 && !belongsToHost() ? false : isatty(fd));
}

function patchReads(): void {
  for (const name of ['readSync', 'readvSync']) {
    replaceMethod(
      fs,
      name,
      (original) =>
        (fd, ...rest) =>
          isStdin(fd) ? 0 : original(fd, ...rest),
    );
  }
  for (const name of ['read', 'readv']) {
    replaceMethod(fs, name, (original) => (fd, ...rest) => {
      const callback = rest.at(-1);
      if (!isStdin(fd) || typeof callback !== 'function') return original(fd, ...rest);
      const buffer = rest.find((each) => typeof each === 'object' && each !== null);
      process.nextTick(callback as () => void, null, 0, buffer);
      return undefined;
    });
  }
  replaceMethod(fs, 'readFileSync', (original) => (path, options, ...rest) => {
    if (isTerminal(path)) throw noTerminal();
    return isStdin(path) ? nothing(options) : original(path, options, ...rest);
  });
  replaceMethod(fs, 'readFile', (original) => (path, ...rest) => {
    const callback = rest.at(-1);
    if (typeof callback !== 'function' || !(isStdin(path) || isTerminal(path)))
      return original(path, ...rest);
    if (isTerminal(path)) process.nextTick(callback as () => void, noTerminal());
    else process.nextTick(callback as () => void, null, nothing(rest[0]));
    return undefined;
  });
  replaceMethod(fs.promises, 'readFile', (original) => (path, ...rest) => {
    if (isTerminal(path)) return Promise.reject(noTerminal());
    return isStdin(path) ? Promise.resolve(nothing(rest[0])) : original(path, ...rest);
  });
}

function patchOpens(): void {
  replaceMethod(fs, 'openSync', (original) => (path, ...rest) => {
    if (isTerminal(path)) throw noTerminal();
    return original(isStdin(path) ? '/dev/null' : path, ...rest);
  });
  replaceMethod(fs, 'open', (original) => (path, ...rest) => {
    const callback = rest.at(-1);
    if (!isTerminal(path) || typeof callback !== 'function') {
      return original(isStdin(path) ? '/dev/null' : path, ...rest);
    }
    process.nextTick(callback as () => void, noTerminal());
    return undefined;
  });
  replaceMethod(
    fs.promises,
    'open',
    (original) =>
      (path, ...rest) =>
        isTerminal(path)
          ? Promise.reject(noTerminal())
          : original(isStdin(path) ? '/dev/null' : path, ...rest),
  );
}

const STDIN = new Set<unknown>([0, '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

function isStdin(target: unknown): boolean {
  return STDIN.has(target) && currentCall() !== undefined;
}

function isTerminal(path: unknown): boolean {
  return path === '/dev/tty' && currentCall() !== undefined;
}

/** The content of an empty file, in the form that the options ask for. */
function nothing(options: unknown): string | Buffer {
  const encoding =
    typeof options === 'object' && options !== null
      ? (options as { encoding?: unknown }).encoding
      : typeof options === 'string'
        ? options
        : undefined;
  return encoding === undefined || encoding === null || encoding === 'buffer' ? Buffer.alloc(0) : '';
}

function noTerminal(): Error {
  const error = new Error("ENXIO: no such device or address, open '/dev/tty'");
  return Object.assign(error, { errno: -6, code: 'ENXIO', syscall: 'open', path: '/dev/tty' });
}
