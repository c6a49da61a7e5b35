import type { Writable } from 'node:stream';

import type { MaskText } from '../result/mask-secrets.js';

/**
 * Text that belongs to no call goes to stderr, never to the protocol. A client need not read stderr, so no more than
 * this waits in memory; what comes on top is dropped.
 */
const MOST_WAITING_BYTES = 65_536;

/** What writes to the stream itself, once `_write` gives output to calls. */
export type RawWrite = (bytes: Uint8Array, encoding: 'buffer', callback: () => void) => void;

let write: RawWrite | undefined;
let hasDropped = false;

export function useForStray(original: RawWrite): void {
  write = original;
}

/** So many secrets are remembered: those of the latest calls that gave any. */
const MOST_MASKS = 64;

/** By the secrets that each hides. */
const masks = new Map<string, MaskText>();

/** What a call was given as a secret stands in no log of the client's either, also when it has ended (K22). */
export function hideInStray(secrets: readonly string[], mask: MaskText): void {
  const key = JSON.stringify(secrets);
  masks.delete(key);
  masks.set(key, mask);
  const [oldest] = masks.keys();
  if (masks.size > MOST_MASKS && oldest !== undefined) masks.delete(oldest);
}

function withoutSecrets(chunk: string | Uint8Array): string | Uint8Array {
  if (masks.size === 0) return chunk;
  const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
  let masked = text;
  for (const mask of masks.values()) masked = mask(masked);
  return masked === text ? chunk : masked;
}

export function writeStray(written: string | Uint8Array): void {
  const chunk = withoutSecrets(written);
  const waitingBytes = waitingOnStderr();
  if (waitingBytes > MOST_WAITING_BYTES) {
    hasDropped = true;
    return;
  }
  if (hasDropped) writeRaw('\nmcpify: some output outside of calls is left out here\n');
  hasDropped = false;
  if (chunk.length <= MOST_WAITING_BYTES) writeRaw(chunk);
  else writeRaw(chunk.slice(0, MOST_WAITING_BYTES));
  hasDropped = chunk.length > MOST_WAITING_BYTES;
}

const warned = new Set<string>();

/** Once a tool: what a command prints after its call has ended belongs to nobody. */
export function reportLateOutput(toolName: string): void {
  if (warned.has(toolName)) return;
  warned.add(toolName);
  writeStray(
    `mcpify: ${toolName} printed after its call had ended; its result does not hold that text. ` +
      'Let the action return its promise, so that the call waits for it.\n',
  );
}

function writeRaw(chunk: string | Uint8Array): void {
  const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk);
  try {
    const original = write ?? (process.stderr._write.bind(process.stderr) as unknown as RawWrite);
    original(bytes, 'buffer', ignore);
  } catch {
    // A closed stderr (EPIPE, EBADF) must never end the server.
  }
}

/** Descriptors that are pipes do not block: libuv keeps what they do not take. */
function waitingOnStderr(): number {
  const { _handle } = process.stderr as Writable & { _handle?: { writeQueueSize?: number } | null };
  return _handle?.writeQueueSize ?? 0;
}

function ignore(): void {}
