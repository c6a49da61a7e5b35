/*
 * One process serves one client on stdio. While it does not read what is there for it, no further run begins: each
 * would end in an answer that waits in memory.
 */
let isHeld = false;
const onRelease = new Set<() => void>();

export function areRunsHeld(): boolean {
  return isHeld;
}

export function holdRuns(): void {
  isHeld = true;
}

export function releaseRuns(): void {
  if (!isHeld) return;
  isHeld = false;
  for (const listener of onRelease) listener();
}

/** @param listener called each time that runs may begin again */
export function whenRunsMayBegin(listener: () => void): void {
  onRelease.add(listener);
}
