import { oldestOfGreediest } from './make-room.js';
import { OptionCache } from './option-cache.js';

/** A handle that nobody used for so long is forgotten (api.md). */
const EXPIRY_MS = 24 * 60 * 60_000;

/** A client that mints without end does not fill the memory: of its own, the one unused for the longest makes room. */
const MOST_HANDLES = 1_000;

/** 160 bits, in letters and digits that no client mangles. */
const HANDLE_BYTES = 20;

interface Entry {
  readonly cache: OptionCache;
  /** Who minted it, where the transport knows its callers: a handle is a name, not a permission (P33). */
  readonly caller: string | undefined;
  lastUsedAtMs: number;
}

/** The sessions that handles name: minted on request, bound to the caller, forgotten after a day without use. */
export class SessionHandles {
  /** Least recently used first. */
  private readonly entries = new Map<string, Entry>();

  /** @param now milliseconds since 1970 */
  constructor(private readonly now: () => number = Date.now) {}

  mint(caller: string | undefined): { readonly handle: string; readonly cache: OptionCache } {
    this.forgetExpired();
    if (this.entries.size >= MOST_HANDLES) {
      const held = [...this.entries].map(([each, { caller: owner }]) => [each, owner] as const);
      this.entries.delete(oldestOfGreediest(held) as string);
    }
    const handle = `s${Buffer.from(crypto.getRandomValues(new Uint8Array(HANDLE_BYTES))).toString('hex')}`;
    const cache = new OptionCache();
    this.entries.set(handle, { cache, caller, lastUsedAtMs: this.now() });
    return { handle, cache };
  }

  /** Undefined alike for a handle that is unknown, expired or somebody else's. */
  find(handle: string, caller: string | undefined): OptionCache | undefined {
    this.forgetExpired();
    const entry = this.entries.get(handle);
    if (!entry || entry.caller !== caller) return undefined;
    entry.lastUsedAtMs = this.now();
    this.entries.delete(handle);
    this.entries.set(handle, entry);
    return entry.cache;
  }

  private forgetExpired(): void {
    const earliest = this.now() - EXPIRY_MS;
    for (const [handle, { lastUsedAtMs }] of this.entries) {
      if (lastUsedAtMs > earliest) return;
      this.entries.delete(handle);
    }
  }
}
