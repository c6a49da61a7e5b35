import type { SecretMask } from './mask-secrets.js';
import type { CapturedOutput } from './outcome.js';
import { toFinalText } from './to-final-text.js';

interface OutputFacts {
  /** The task that has all of the output, where there is one. */
  readonly keptAs?: string | undefined;
  /** Secrets are hidden at a cut, where only a part of one is left. */
  readonly mask?: SecretMask | undefined;
}

/**
 * What a command printed, as one text: stdout as it is, each run of stderr under a heading, in the order of writing.
 * A cut is stated where it lies, with the size of the whole and the way to it.
 *
 * @param stdoutOnly leaves stderr out
 */
export function toOutputText(output: CapturedOutput, facts: OutputFacts = {}, stdoutOnly = false): string {
  const { segments } = output;
  const [only] = segments;
  if (segments.length === 1 && only && only.stream === 'stdout' && !only.omittedBefore) {
    return toFinalText(only.text);
  }
  const { mask } = facts;
  let text = '';
  let stream = 'stdout';
  segments.forEach((segment, index) => {
    const isCut = { start: segment.omittedBefore, end: segments[index + 1]?.omittedBefore };
    if (isCut.start) text += `${lineEnd(text)}${cutNotice(output, facts)}\n`;
    if (stdoutOnly && segment.stream === 'stderr') return;
    if (segment.stream !== stream) text += `${lineEnd(text)}[${segment.stream}]\n`;
    stream = segment.stream;
    const final = toFinalText(segment.text);
    text += mask && (isCut.start || isCut.end) ? mask.piece(final, isCut) : final;
  });
  return text;
}

function cutNotice({ segments, omittedBytes, totalBytes }: CapturedOutput, facts: OutputFacts): string {
  const { keptAs, mask } = facts;
  const cut = `${omittedBytes} of ${totalBytes} bytes of output left out here`;
  if (keptAs === undefined) return `[… ${cut} …]`;
  const before = segments
    .slice(
      0,
      segments.findIndex(({ omittedBefore }) => omittedBefore),
    )
    .map(({ text }) => text)
    .join('');
  // As it is kept: without secrets, the one that the cut goes through among them.
  const kept = mask ? mask(before) : before;
  const offsetBytes = Buffer.byteLength(kept.slice(0, kept.length - (mask?.unfinished(kept) ?? 0)));
  return `[… ${cut}: task_result ${JSON.stringify({ taskId: keptAs, offsetBytes })} …]`;
}

function lineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? '' : '\n';
}
