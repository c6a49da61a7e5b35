import { fstatSync } from 'node:fs';

/** Taken before the patches, which ask here. */
const statOf = fstatSync;

/** What each descriptor was when it was noted. */
const claimed = new Map<unknown, string>();

/** Notes the descriptors that carry the protocol: for commands and their children they are as good as closed. */
export function hideDescriptors(...descriptors: readonly number[]): void {
  for (const fd of descriptors) {
    const identity = identify(fd);
    if (identity !== undefined) claimed.set(fd, identity);
  }
}

/**
 * Whether a descriptor carries the protocol: whatever else is written to it would reach the client (P2). Once the
 * client has closed its side the number is free, and the next file that is opened has it.
 */
export function isHidden(fd: unknown): boolean {
  const identity = claimed.get(fd);
  return identity !== undefined && identity === identify(fd as number);
}

/** As big integers: Node 20 looks at the last plain status again, whoever asked for it (claim-descriptors.ts). */
function identify(fd: number): string | undefined {
  try {
    const { dev, ino } = statOf(fd, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
