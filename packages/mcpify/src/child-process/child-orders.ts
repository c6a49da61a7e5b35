/** The environment variable that tells `child-preload.ts` what to do; the preload deletes it. */
export const CHILD_VARIABLE = 'MCPIFY_CHILD';

/** The value of `CHILD_VARIABLE`, as JSON. */
export interface ChildOrders {
  /** The real argv comes over stdin. */
  readonly readsArgv: boolean;
  readonly witnessPath?: string | undefined;
  readonly stderrMark?: string | undefined;
  readonly lifelineFd?: number | undefined;
  readonly startsScript?: boolean | undefined;
  /** Where its questions go: over the lifeline, into files of this folder, or nowhere. @default nowhere */
  readonly questions?: 'lifeline' | { readonly folder: string } | undefined;
}
