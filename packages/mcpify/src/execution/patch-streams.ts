import type { Writable } from 'node:stream';

import type { OutputSegment } from '../result/outcome.js';
import { keepProperty } from './kept-properties.js';
import { ownPerCall } from './own-per-call.js';
import { replaceMethod, type AnyFunction } from './replace-method.js';
import { belongsToHost, currentCall, isGuest, ownerOfWrite } from './running-call.js';
import { useForStray, writeStray, type RawWrite } from './stray-output.js';

type StreamName = OutputSegment['stream'];

/** Gives every write to stdout and stderr to the call that made it (in-process.md, A1). */
export function patchStreams(): void {
  patchStream(process.stdout, 'stdout');
  const original = patchStream(process.stderr, 'stderr');
  useForStray(original);
  for (const name of ['stdout', 'stderr']) keepProperty(process, name);
}

/** To the call that printed it; what no call owns goes to stderr. */
export function deliver(stream: StreamName, chunk: string | Uint8Array): void {
  const call = ownerOfWrite();
  if (call) call.write(stream, chunk);
  else writeStray(chunk);
}

interface PatchableStream {
  _write: RawWrite | Write;
  _writev?: ((chunks: { chunk: Uint8Array; encoding: string }[], callback: () => void) => void) | null;
  _writableState?: { decodeStrings?: boolean };
}

type Write = (chunk: string | Uint8Array, encoding: string, callback: () => void) => void;

/**
 * `_write`, not `write`: references that were taken earlier, `pipe` and loggers all pass through it.
 *
 * @returns what writes to the stream itself
 */
function patchStream(stream: Writable, name: StreamName): RawWrite {
  const patchable = stream as unknown as PatchableStream;
  const original = rawWriteOf(stream, patchable);
  const write: Write = (chunk, encoding, callback) => {
    if (belongsToHost()) {
      original(chunk as Uint8Array, encoding as 'buffer', callback);
      return;
    }
    // First, so that the stream is not found in the middle of a write by what the delivery calls.
    callback();
    deliver(name, decoded(chunk, encoding));
  };
  patchable._write = write;
  patchable._writev = null;
  // A big text stays the string that it is.
  if (patchable._writableState && !isGuest()) patchable._writableState.decodeStrings = false;
  if (isGuest()) goPastBuffer(stream, name);
  ownPerCall(stream, 'write');
  keepProperty(stream, 'write');
  outliveCalls(stream);
  looksLikeNoTerminal(stream);
  return original;
}

/**
 * Behind a host's write that waits, a call's would wait too, and come out of the buffer in nobody's name: as a part of
 * the host's protocol.
 */
function goPastBuffer(stream: Writable, name: StreamName): void {
  replaceMethod(stream, 'write', (original) => (chunk, ...rest) => {
    if (!currentCall()) return original.call(stream, chunk, ...rest);
    const [encoding] = rest;
    const callback = rest.find((each) => typeof each === 'function') as (() => void) | undefined;
    deliver(name, decoded(chunk as string, typeof encoding === 'string' ? encoding : 'utf8'));
    if (callback) process.nextTick(callback);
    return true;
  });
}

/** A worker's stdout has nothing but `_writev`. */
function rawWriteOf(stream: Writable, patchable: PatchableStream): RawWrite {
  const { _write, _writev } = patchable;
  if (_writev && !Object.hasOwn(Object.getPrototypeOf(stream) as object, '_write')) {
    return (chunk, encoding, callback) => _writev.call(stream, [{ chunk, encoding }], callback);
  }
  return _write.bind(stream) as RawWrite;
}

function decoded(chunk: string | Uint8Array, encoding: string): string | Uint8Array {
  const isText = typeof chunk === 'string' && encoding !== 'utf8' && encoding !== 'utf-8';
  return isText ? Buffer.from(chunk, encoding as BufferEncoding) : chunk;
}

/** The stream serves all calls: none of them can end, destroy or hold it. */
function outliveCalls(stream: Writable): void {
  const methods: Record<string, AnyFunction> = {
    end(...args) {
      const callback = args.find((arg) => typeof arg === 'function') as (() => void) | undefined;
      const [chunk, encoding] = args;
      if (typeof chunk === 'string' || ArrayBuffer.isView(chunk)) {
        stream.write(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
      }
      process.nextTick(() => {
        stream.emit('finish');
        callback?.();
      });
      return stream;
    },
    destroy() {
      process.nextTick(() => stream.emit('close'));
      return stream;
    },
    cork() {},
    uncork() {},
  };
  for (const [name, ofCalls] of Object.entries(methods)) {
    replaceMethod(
      stream,
      name,
      (original) =>
        (...args) =>
          belongsToHost() ? original.apply(stream, args) : ofCalls(...args),
    );
  }
}

/** What terminal programs call works and does nothing unusual; nothing here is a terminal (B4.5). */
function looksLikeNoTerminal(stream: Writable): void {
  const sequence = (text: string, callback: unknown): boolean =>
    stream.write(text, typeof callback === 'function' ? (callback as () => void) : undefined);
  const members: Readonly<Record<string, unknown>> = {
    isTTY: false,
    columns: 80,
    rows: 24,
    getWindowSize: () => [80, 24],
    getColorDepth: () => 1,
    hasColors: () => false,
    clearLine: (direction: number, callback?: unknown) =>
      sequence(`\u001b[${direction < 0 ? '1' : direction > 0 ? '0' : '2'}K`, callback),
    clearScreenDown: (callback?: unknown) => sequence('\u001b[0J', callback),
    cursorTo: (x: number, y?: unknown, callback?: unknown) =>
      sequence(
        typeof y === 'number' ? `\u001b[${y + 1};${x + 1}H` : `\u001b[${x + 1}G`,
        typeof y === 'function' ? y : callback,
      ),
    moveCursor: (dx: number, dy: number, callback?: unknown) =>
      sequence(move(dx, 'C', 'D') + move(dy, 'B', 'A'), callback),
  };
  for (const [name, value] of Object.entries(members)) {
    if (isGuest()) {
      showToCalls(stream, name, value);
      continue;
    }
    Object.defineProperty(stream, name, { value, configurable: true, writable: true, enumerable: true });
    ownPerCall(stream, name);
  }
}

/** The host's logs keep their terminal. */
function showToCalls(stream: Writable, name: string, value: unknown): void {
  let ofHost = (stream as unknown as Record<string, unknown>)[name];
  Object.defineProperty(stream, name, {
    configurable: true,
    enumerable: true,
    get: () => (belongsToHost() ? ofHost : value),
    set(next: unknown) {
      if (belongsToHost()) ofHost = next;
    },
  });
}

function move(by: number, forward: string, back: string): string {
  if (by === 0) return '';
  return `\u001b[${Math.abs(by)}${by > 0 ? forward : back}`;
}
