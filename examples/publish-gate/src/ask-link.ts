/** The part of `fetch` that the check needs; tests pass their own and need no network. */
export type FetchFn = (
  url: string,
  init: { readonly method: 'HEAD' | 'GET'; readonly redirect: 'follow'; readonly signal: AbortSignal },
) => Promise<{ readonly status: number; readonly body?: { cancel(): Promise<void> } | null }>;

export interface AskOptions {
  /** @default the global `fetch` */
  readonly fetchFn?: FetchFn;
  /** How long one request may take, redirects included, in milliseconds. @default 10,000 */
  readonly timeoutMs?: number;
  /** Stops the requests. @default never */
  readonly signal?: AbortSignal;
}

/** `refused`: another status than 200 to 299. `problem` ends a sentence that begins with the link. */
export type Answer =
  | { readonly kind: 'good'; readonly problem?: never }
  | { readonly kind: 'refused' | 'silent' | 'nameNotFound'; readonly problem: string };

/** Whether a link answers cannot be told from here. */
export class NoNetworkError extends Error {
  override readonly name = 'NoNetworkError';
}

/**
 * Asks one link: with HEAD, and where that is not answered well with GET, since some servers refuse HEAD.
 *
 * @throws NoNetworkError on a fault of this machine's network; whatever `signal` was aborted with
 */
export async function askLink(url: string, options: AskOptions = {}): Promise<Answer> {
  if (!URL.canParse(url)) return { kind: 'silent', problem: 'is not an address' };
  const answer = await request('HEAD', url, options);
  return answer.kind === 'good' ? answer : request('GET', url, options);
}

const DEFAULT_TIMEOUT_MS = 10_000;

async function request(
  method: 'HEAD' | 'GET',
  url: string,
  { fetchFn = fetch, timeoutMs = DEFAULT_TIMEOUT_MS, signal }: AskOptions,
): Promise<Answer> {
  signal?.throwIfAborted();
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const { status, body } = await fetchFn(url, {
      method,
      redirect: 'follow',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    // Only the status is wanted: the rest of a large page is not loaded.
    await body?.cancel();
    if (status >= 200 && status < 300) return { kind: 'good' };
    return { kind: 'refused', problem: `answers ${status}` };
  } catch (error) {
    signal?.throwIfAborted();
    if (deadline.aborted) return { kind: 'silent', problem: `does not answer within ${timeoutMs} ms` };
    return toAnswer(url, error);
  }
}

/** Faults of this machine, by the code that Node gives them; every other fault is the link's. */
const OWN_FAULTS: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
]);

/** `fetch` wraps the fault of the connection in a TypeError that says "fetch failed". */
function toAnswer(url: string, error: unknown): Answer {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  if (OWN_FAULTS.has(code)) {
    throw new NoNetworkError(`no network to check ${url} (${code})`, { cause: error });
  }
  const reason = code ?? (cause instanceof Error ? cause.message : String(cause));
  return { kind: code === 'ENOTFOUND' ? 'nameNotFound' : 'silent', problem: `does not answer (${reason})` };
}
