import fs from 'node:fs';

import type { OutputSegment } from '../result/outcome.js';
import { deliver } from './patch-streams.js';
import { replaceMethod, type AnyFunction } from './replace-method.js';
import { belongsToHost, ownerOfWrite } from './running-call.js';

type StreamName = OutputSegment['stream'];

/** Loggers such as pino write to descriptor 1 by `fs`, past the stream. */
export function patchFsOutput(): void {
  patchWrites();
  patchWholeFiles();
  patchPromises();
  patchOpenAndClose();
}

function patchWrites(): void {
  replaceMethod(fs, 'writeSync', (original) => (fd, data, ...rest) => {
    const stream = streamOf(fd);
    return stream ? deliverPart(stream, data, rest) : original(fd, data, ...rest);
  });
  replaceMethod(fs, 'writevSync', (original) => (fd, parts, ...rest) => {
    const stream = streamOf(fd);
    return stream ? deliverParts(stream, parts) : original(fd, parts, ...rest);
  });
  replaceMethod(fs, 'write', (original) => (fd, data, ...rest) => {
    const stream = streamOf(fd);
    const callback = rest.at(-1);
    if (!stream || typeof callback !== 'function') return original(fd, data, ...rest);
    callBackAtOnce(callback, null, deliverPart(stream, data, rest.slice(0, -1)), data);
    return undefined;
  });
  replaceMethod(fs, 'writev', (original) => (fd, parts, ...rest) => {
    const stream = streamOf(fd);
    const callback = rest.at(-1);
    if (!stream || typeof callback !== 'function') return original(fd, parts, ...rest);
    callBackAtOnce(callback, null, deliverParts(stream, parts), parts);
    return undefined;
  });
}

function patchWholeFiles(): void {
  for (const name of ['writeFileSync', 'appendFileSync']) {
    replaceMethod(fs, name, (original) => (target, data, ...rest) => {
      const stream = streamOf(target);
      if (!stream || !isData(data)) return original(target, data, ...rest);
      deliverPart(stream, data, [encodingOf(rest[0])]);
      return undefined;
    });
  }
  for (const name of ['writeFile', 'appendFile']) {
    replaceMethod(fs, name, (original) => (target, data, ...rest) => {
      const stream = streamOf(target);
      const callback = rest.at(-1);
      if (!stream || !isData(data) || typeof callback !== 'function') return original(target, data, ...rest);
      deliverPart(stream, data, [encodingOf(rest[0])]);
      callBack(callback, null);
      return undefined;
    });
  }
}

function patchPromises(): void {
  for (const name of ['writeFile', 'appendFile']) {
    replaceMethod(fs.promises, name, (original) => (target, data, ...rest) => {
      const stream = streamOf(target);
      if (!stream || !isData(data)) return original(target, data, ...rest);
      deliverPart(stream, data, [encodingOf(rest[0])]);
      return Promise.resolve();
    });
  }
}

/** Streams over `/dev/stdout` get the descriptor itself, and closing it closes nothing: all calls share it. */
function patchOpenAndClose(): void {
  replaceMethod(
    fs,
    'openSync',
    (original) =>
      (path, ...rest) =>
        descriptorOf(path) ?? original(path, ...rest),
  );
  replaceMethod(fs, 'open', (original) => (path, ...rest) => {
    const fd = descriptorOf(path);
    const callback = rest.at(-1);
    if (fd === undefined || typeof callback !== 'function') return original(path, ...rest);
    callBack(callback, null, fd);
    return undefined;
  });
  replaceMethod(fs, 'closeSync', (original) => (fd) => (isShared(fd) ? undefined : original(fd)));
  replaceMethod(fs, 'close', (original) => (fd, callback) => {
    if (!isShared(fd)) return callback === undefined ? original(fd) : original(fd, callback);
    if (typeof callback === 'function') callBack(callback, null);
    return undefined;
  });
}

let depth = 0;

/**
 * Before the write returns: a buffering logger (pino) that still waited for it would keep the next line, of another
 * call perhaps, and write it as a part of this one.
 */
function callBackAtOnce(callback: unknown, ...args: unknown[]): void {
  if (depth >= DEEPEST_CALLBACK) {
    callBack(callback, ...args);
    return;
  }
  depth += 1;
  try {
    (callback as AnyFunction)(...args);
  } finally {
    depth -= 1;
  }
}

/** Writes that follow each other from callback to callback must not fill the stack. */
const DEEPEST_CALLBACK = 20;

/** The call waits for the callback: buffering loggers write their next part in it. */
function callBack(callback: unknown, ...args: unknown[]): void {
  const call = ownerOfWrite();
  const done = new Promise<void>((resolve) => {
    process.nextTick(() => {
      try {
        (callback as AnyFunction)(...args);
      } finally {
        resolve();
      }
    });
  });
  call?.waitFor(done);
}

function streamOf(target: unknown): StreamName | undefined {
  if (belongsToHost()) return undefined;
  if (target === 1) return 'stdout';
  if (target === 2) return 'stderr';
  const fd = typeof target === 'string' ? descriptorOf(target) : undefined;
  return fd === undefined ? undefined : fd === 1 ? 'stdout' : 'stderr';
}

const DESCRIPTORS: ReadonlyMap<unknown, number> = new Map([
  ['/dev/stdout', 1],
  ['/dev/fd/1', 1],
  ['/proc/self/fd/1', 1],
  ['/dev/stderr', 2],
  ['/dev/fd/2', 2],
  ['/proc/self/fd/2', 2],
]);

function descriptorOf(path: unknown): number | undefined {
  return typeof path === 'string' && !belongsToHost() ? DESCRIPTORS.get(path) : undefined;
}

function isShared(fd: unknown): boolean {
  return (fd === 0 || fd === 1 || fd === 2) && !belongsToHost();
}

function isData(data: unknown): boolean {
  return typeof data === 'string' || ArrayBuffer.isView(data);
}

function encodingOf(options: unknown): unknown {
  return typeof options === 'object' && options !== null
    ? (options as { encoding?: unknown }).encoding
    : options;
}

/**
 * @param rest `offset, length` or `{ offset, length }` of bytes; `position, encoding` of a string
 * @returns the number of bytes
 */
function deliverPart(stream: StreamName, data: unknown, rest: readonly unknown[]): number {
  if (!ArrayBuffer.isView(data)) {
    const text = String(data);
    const encoding = rest.find((each) => typeof each === 'string') as BufferEncoding | undefined;
    deliver(stream, encoding && !/^utf-?8$/i.test(encoding) ? Buffer.from(text, encoding) : text);
    return Buffer.byteLength(text, encoding);
  }
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const [first, second] = rest;
  const range =
    typeof first === 'object' && first !== null ? (first as { offset?: number; length?: number }) : {};
  const offset = typeof first === 'number' ? first : (range.offset ?? 0);
  const length = typeof second === 'number' ? second : (range.length ?? bytes.length - offset);
  const part = bytes.subarray(offset, offset + length);
  deliver(stream, part);
  return part.length;
}

function deliverParts(stream: StreamName, parts: unknown): number {
  let written = 0;
  for (const part of parts as readonly unknown[]) written += deliverPart(stream, part, []);
  return written;
}
