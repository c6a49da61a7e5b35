import type { OptionCache, RememberedValue } from '../session/option-cache.js';
import { unknownSession, type SessionOwner, type SessionStore } from '../session/session-store.js';
import type { CommandModel } from '../schema/command-model.js';
import type { Problem } from './problem.js';
import { takeFromSession } from './session-values.js';

/** Where the calls of one client find what earlier ones gave. */
export interface SessionAccess {
  readonly store: SessionStore;
  readonly owner: SessionOwner;
}

/** The session's part in one call. */
export interface OpenSession {
  /** Values that the call takes from it, by property. */
  readonly taken: ReadonlyMap<string, RememberedValue>;
  readonly problems: readonly Problem[];
  /** Remembers what the call itself gave. To be called once the call is in order, before the command runs (B7.2). */
  keep(values: ReadonlyMap<string, unknown>): KeptValues;
}

export interface KeptValues {
  /** Where the call begins a session. */
  readonly handle: string | undefined;
  /** Puts back what was there: commander has refused the values after all, and would refuse them for ever. */
  takeBack(): void;
}

/** Longer values are no settings, and a client could fill the memory with them. */
const LONGEST_VALUE = 10_000;

/**
 * Opens the session that a call uses: the one that its handle names, a new one, or that of its connection.
 *
 * @param given the call's own values by property, not coerced yet
 */
export function openSession(
  model: CommandModel,
  given: ReadonlyMap<string, unknown>,
  toolName: string,
  { store, owner }: SessionAccess,
): OpenSession {
  const { nocache, session } = model.controls;
  const handle = session === undefined ? undefined : given.get(session);
  // What is no text is refused by the schema.
  const found = store.find(typeof handle === 'string' ? handle : undefined, owner);
  if (found.kind === 'unknown') {
    const message = unknownSession(session ?? 'session');
    return { ...NOTHING, problems: [{ property: session, message }] };
  }
  const isOff = nocache !== undefined && isTrue(given.get(nocache));
  const isUsed = found.kind === 'found' && !isOff;
  return {
    taken: isUsed ? takeFromSession(model, given, found.cache) : NOTHING.taken,
    problems: [],
    keep(values) {
      const minted = found.kind === 'new' ? store.mint(owner) : undefined;
      const cache = minted?.cache ?? (found.kind === 'found' ? found.cache : undefined);
      const takeBacks = cache && !isOff ? remember(model, given, values, toolName, cache) : [];
      return {
        handle: minted?.handle,
        takeBack() {
          for (const each of takeBacks) each();
        },
      };
    },
  };
}

const NOTHING: OpenSession = {
  taken: new Map(),
  problems: [],
  keep: () => ({ handle: undefined, takeBack() {} }),
};

/** As the schema will read it (B3.6). */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

/** @returns what undoes it, each value by itself: overlapping calls may have set it anew */
function remember(
  { parameters }: CommandModel,
  given: ReadonlyMap<string, unknown>,
  values: ReadonlyMap<string, unknown>,
  toolName: string,
  cache: OptionCache,
): readonly (() => void)[] {
  const setAtMs = Date.now();
  const takeBacks: (() => void)[] = [];
  for (const { property, cacheable, shape } of parameters) {
    if (!cacheable || !given.has(property)) continue;
    const value = values.get(property);
    const before = cache.get(property);
    if (isShort(value)) cache.set(property, { value, shape, toolName, setAtMs });
    // The value of an earlier call is no longer what the client means.
    else cache.clear(property);
    const after = cache.get(property);
    takeBacks.push(() => {
      if (cache.get(property) !== after) return;
      if (before) cache.set(property, before);
      else cache.clear(property);
    });
  }
  return takeBacks;
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= LONGEST_VALUE;
  return typeof value !== 'object' || value === null || JSON.stringify(value).length <= LONGEST_VALUE;
}
