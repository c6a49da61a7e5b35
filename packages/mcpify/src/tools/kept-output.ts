import type { OutputSink } from '../execution/invocation.js';
import { outsideOfCalls } from '../execution/running-call.js';
import type { SecretMask } from '../result/mask-secrets.js';
import type { CallEnd } from '../result/outcome.js';
import type { OutputSpill } from '../tasks/embedded-settings.js';

/**
 * The whole output of a call that somebody waits for, where it is more than a result carries: kept as a finished task
 * that `task_result` pages through (decision 13). Nothing is made of it before that. A result without its task is better
 * than none: what goes wrong here fails no call.
 */
export class KeptOutput implements OutputSink {
  private spill: OutputSpill | undefined;
  /** What may be the beginning of a secret that goes on in the next write. */
  private held = '';

  constructor(
    private readonly start: (() => OutputSpill) | undefined,
    private readonly mask: SecretMask | undefined,
  ) {}

  get isOpen(): boolean {
    return this.spill !== undefined;
  }

  open(): OutputSink | undefined {
    if (!this.start) return undefined;
    try {
      this.spill ??= outsideOfCalls(this.start);
      return this;
    } catch {
      return undefined;
    }
  }

  write(text: string): void {
    const shown = this.mask ? this.mask(this.held + text) : text;
    const unfinished = this.mask?.unfinished(shown) ?? 0;
    const end = shown.length - unfinished;
    this.held = shown.slice(end);
    outsideOfCalls(() => this.spill?.write(shown.slice(0, end)));
  }

  /** @returns the task; undefined where it could not be kept, or nobody is to read it */
  async finish(end: CallEnd): Promise<string | undefined> {
    const { spill } = this;
    if (!spill) return undefined;
    if (end.kind === 'cancelled') {
      spill.discard();
      return undefined;
    }
    try {
      spill.write(this.held);
      return (await spill.finish({ exitCode: exitCodeOf(end) })).taskId;
    } catch {
      return undefined;
    }
  }
}

/** As the process of a command line would have ended. */
function exitCodeOf(end: CallEnd): number {
  if (end.kind === 'returned') return 0;
  return end.kind === 'exited' || end.kind === 'commanderError' ? end.exitCode : 1;
}
