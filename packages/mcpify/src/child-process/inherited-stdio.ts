import { isHidden } from './protocol-descriptors.js';

export type StreamName = 'stdout' | 'stderr';

/** What the patches ask of the layer above: whose child it is and where its output goes. */
export interface SpawnOwner {
  /** Its own changes to the environment, which `process.env` shows in its context; undefined where it made none. */
  readonly environment: ReadonlyMap<string, string | undefined> | undefined;
  writeOfChild(stream: StreamName, text: string): void;
  /** Output that must have arrived before the owner is finished. Never rejects. */
  waitFor(output: Promise<void>): void;
}

export type Stdio = string | readonly unknown[] | null | undefined;

/** Which pipes of a child stand in the place of a stream of the server's. */
export type Captured = readonly (readonly [index: number, stream: StreamName])[];

/**
 * The same stdio with a pipe where the server's stdout or stderr would be inherited, and nothing for its stdin: the
 * real descriptors would be those of the server.
 */
export function withoutInherited(stdio: Stdio): { readonly stdio: unknown[]; readonly captured: Captured } {
  const given = typeof stdio === 'object' && stdio !== null ? stdio : Array(3).fill(stdio ?? 'pipe');
  const captured: [number, StreamName][] = [];
  const list = Array.from(given as readonly unknown[], (entry, index) => {
    const fd = inheritedDescriptor(entry, index);
    if (fd === 1 || fd === 2) {
      captured.push([index, fd === 1 ? 'stdout' : 'stderr']);
      return 'pipe';
    }
    // An inherited descriptor above 2 may be one of the protocol's.
    return fd === 0 || isHidden(fd) || (fd !== undefined && entry === 'inherit') ? 'ignore' : entry;
  });
  return { stdio: list, captured };
}

function inheritedDescriptor(entry: unknown, index: number): number | undefined {
  if (entry === 'inherit') return index;
  if (typeof entry === 'number') return entry;
  if (entry === process.stdin) return 0;
  if (entry === process.stdout) return 1;
  return entry === process.stderr ? 2 : undefined;
}
