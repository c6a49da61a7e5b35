import { OptionCache } from './option-cache.js';
import { SessionHandles } from './session-handles.js';

/** Whose session a call may use. */
export interface SessionOwner {
  /**
   * The connection, where one that was opened by a handshake has a session of its own (decision 5). Requests of the
   * revisions without handshake have none: they stand alone, unless they name a handle.
   */
  readonly connection?: object | undefined;
  /** Where the transport knows its callers. */
  readonly caller?: string | undefined;
}

export type FoundSession =
  | { readonly kind: 'found'; readonly cache: OptionCache }
  /** To be minted, once the call is in order. */
  | { readonly kind: 'new' }
  /** Nothing is remembered for this call. */
  | { readonly kind: 'none' }
  /** A handle that leads nowhere, or to somebody else's session. */
  | { readonly kind: 'unknown' };

/** What mints a session. */
const NEW = 'new';

/** The remembered option values of all clients of one server, each apart from the others (B7.4). */
export class SessionStore {
  /** Forgotten with their connections. */
  private readonly ofConnections = new WeakMap<object, OptionCache>();
  private readonly handles = new SessionHandles();

  /** @param usesConnections whether a connection is a session, or handles alone name them */
  constructor(private readonly usesConnections: boolean) {}

  /** @param handle what the call gave: a handle, "new", or nothing */
  find(handle: string | undefined, { connection, caller }: SessionOwner): FoundSession {
    if (handle === NEW) return { kind: 'new' };
    if (handle !== undefined) {
      const cache = this.handles.find(handle, caller);
      return cache ? { kind: 'found', cache } : { kind: 'unknown' };
    }
    if (!this.usesConnections || !connection) return { kind: 'none' };
    let cache = this.ofConnections.get(connection);
    if (!cache) this.ofConnections.set(connection, (cache = new OptionCache()));
    return { kind: 'found', cache };
  }

  mint({ caller }: SessionOwner): { readonly handle: string; readonly cache: OptionCache } {
    return this.handles.mint(caller);
  }
}

export function unknownSession(property: string): string {
  return (
    `"${property}": there is no such session. A handle is the one that a result named, and ends after 24 hours ` +
    'without use; "new" begins another session.'
  );
}
