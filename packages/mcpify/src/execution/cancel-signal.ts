/** What tells a call that nobody waits for it any more, as far as most calls need it. Every `AbortSignal` is one. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(event: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(event: 'abort', listener: () => void): void;
}

/**
 * Cancels one call. An `AbortController` costs as much as commander's parse, and its garbage outlives the collection of
 * the young: it is made where somebody asks for its signal, which few calls do.
 */
export class Cancellation implements CancelSignal {
  private isCancelled = false;
  private listeners: readonly (() => void)[] = NONE;
  private controller: AbortController | undefined;

  get aborted(): boolean {
    return this.isCancelled;
  }

  /** A real signal that is aborted with this one. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.isCancelled) this.controller.abort();
    return this.controller.signal;
  }

  cancel(): void {
    if (this.isCancelled) return;
    this.isCancelled = true;
    const { listeners } = this;
    this.listeners = NONE;
    for (const listener of listeners) listener();
    this.controller?.abort();
  }

  addEventListener(_event: 'abort', listener: () => void): void {
    this.listeners = this.listeners === NONE ? [listener] : [...this.listeners, listener];
  }

  removeEventListener(_event: 'abort', listener: () => void): void {
    const [only] = this.listeners;
    if (this.listeners.length === 1 && only === listener) this.listeners = NONE;
    else this.listeners = this.listeners.filter((each) => each !== listener);
  }
}

const NONE: readonly (() => void)[] = [];

/** For those who need all of an `AbortSignal`: a user's code, `fetch`, `AbortSignal.any`. */
export function toAbortSignal(signal: CancelSignal): AbortSignal {
  return signal instanceof Cancellation ? signal.signal : (signal as AbortSignal);
}
