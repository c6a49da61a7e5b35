/** How one call of a command went: what `execution/` gives and `result/` words. */
export interface Outcome {
  readonly end: CallEnd;
  readonly output: CapturedOutput;
}

export type CallEnd =
  | { readonly kind: 'returned'; readonly value: unknown }
  /** `process.exit`, help, version; or `process.exitCode`, with what was returned then. */
  | { readonly kind: 'exited'; readonly exitCode: number; readonly value?: unknown }
  /** Its process, where it had one of its own, was ended by a signal from somewhere else. */
  | { readonly kind: 'killed'; readonly signal: string }
  /** commander refused the argv or the command called `error()`. */
  | {
      readonly kind: 'commanderError';
      readonly exitCode: number;
      readonly code: string;
      readonly message: string;
    }
  | { readonly kind: 'threw'; readonly error: unknown }
  /** The bridge stopped the call: a prompt, a value that commander read differently, ... */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'timedOut'; readonly timeoutMs: number }
  | { readonly kind: 'cancelled' };

export interface CapturedOutput {
  /** In the order of writing; neighbours of one stream are joined. Already cut to the output budget. */
  readonly segments: readonly OutputSegment[];
  /** Bytes that the command wrote in all, as UTF-8. */
  readonly totalBytes: number;
  /** Bytes left out of `segments` (0 = nothing was cut); they lie where `omittedBefore` stands. */
  readonly omittedBytes: number;
}

export interface OutputSegment {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
  /** True on the first segment behind the cut. */
  readonly omittedBefore?: boolean;
}
