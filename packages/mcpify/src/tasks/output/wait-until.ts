import { watch, type FSWatcher } from 'node:fs';

/** Clients give up on a request after 60 s. */
const LONGEST_WAIT_MS = 45_000;
/**
 * Network mounts give no events. Each look wakes the process, which costs more than the look: the longer nothing has come
 * about, the more seldom.
 */
const POLL_MS = { first: 250, most: 8_000 };
const SLOWER_BY = 2;
/** Where nothing can be watched: too many watches of this user, or no folder yet. */
const POLL_UNWATCHED_MS = 25;

export interface WaitLimits {
  /** At most 45,000. */
  readonly waitMs: number;
  /** Ends the wait as the time does. */
  readonly signal?: AbortSignal | undefined;
  /** Only what happens to these files of the folder is looked at. @default all */
  readonly files?: readonly string[] | undefined;
}

/**
 * Looks whether something has come about in a folder: at once, whenever something happens there, and from time to time.
 *
 * @returns whether it has; false when the time was over before
 * @throws what `isReached` throws
 */
export async function waitUntil(
  folderPath: string,
  isReached: () => boolean,
  limits: WaitLimits,
): Promise<boolean> {
  if (isReached()) return true;
  if (limits.signal?.aborted) return false;
  return new Promise((resolve, reject) => {
    new Wait(folderPath, isReached, limits, resolve, reject).begin();
  });
}

class Wait {
  private watcher: FSWatcher | undefined;
  private poll: NodeJS.Timeout | undefined;
  private limit: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(
    private readonly folderPath: string,
    private readonly isReached: () => boolean,
    private readonly limits: WaitLimits,
    private readonly resolve: (reached: boolean) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  begin(): void {
    const { waitMs, signal } = this.limits;
    this.limit = setTimeout(this.giveUp, Math.min(Math.max(0, waitMs), LONGEST_WAIT_MS));
    signal?.addEventListener('abort', this.giveUp);
    this.watcher = this.watchFolder();
    if (this.watcher) this.pollMoreSeldom(POLL_MS.first);
    else this.pollUnwatched();
    // What happened before the watch began.
    this.look();
  }

  private watchFolder(): FSWatcher | undefined {
    const { files } = this.limits;
    try {
      const watcher = watch(this.folderPath, (_event, name) => {
        if (name === null || files === undefined || files.includes(name)) this.look();
      });
      return watcher.on('error', () => this.pollUnwatched());
    } catch {
      return undefined;
    }
  }

  private pollMoreSeldom(delayMs: number): void {
    if (this.isOver) return;
    this.poll = setTimeout(() => {
      this.look();
      this.pollMoreSeldom(Math.min(delayMs * SLOWER_BY, POLL_MS.most));
    }, delayMs);
  }

  private pollUnwatched(): void {
    clearTimeout(this.poll);
    if (!this.isOver) this.poll = setInterval(() => this.look(), POLL_UNWATCHED_MS);
  }

  private look(): void {
    try {
      if (this.isReached()) this.end(() => this.resolve(true));
    } catch (error) {
      this.end(() => this.reject(error));
    }
  }

  private readonly giveUp = () => this.end(() => this.resolve(false));

  private end(settle: () => void): void {
    this.isOver = true;
    clearTimeout(this.limit);
    clearTimeout(this.poll);
    this.limits.signal?.removeEventListener('abort', this.giveUp);
    this.watcher?.close();
    settle();
  }
}
