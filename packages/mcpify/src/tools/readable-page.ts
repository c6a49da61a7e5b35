import { MASK, type SecretMask } from '../result/mask-secrets.js';
import { toFinalText } from '../result/to-final-text.js';
import type { OutputPage, OutputQuery } from '../tasks/task-backend.js';
import type { TaskCall } from './call-task-tool.js';

/** A page as a model reads it. */
export interface ReadablePage {
  readonly text: string;
  /** Where the next page begins. */
  readonly nextOffsetBytes: number;
}

/** In UTF-8, at most, for one of UTF-16. */
const BYTES_OF_CHARACTER = 3;

/**
 * Reads a page, without escapes and secrets. One with more behind it ends where neither is cut: at a line's end, where
 * there is one in its second half. Whoever chooses where a page begins and how long it is gets no part of a secret.
 */
export async function readReadablePage(
  { tasks, caller, signal }: Omit<TaskCall<never>, 'values'>,
  taskId: string,
  query: OutputQuery & { readonly maxBytes: number },
): Promise<(ReadablePage & { readonly page: OutputPage }) | undefined> {
  const read = (other: OutputQuery) => tasks.backend.readOutput(taskId, other, caller, signal);
  const mask = tasks.maskOf(taskId);
  const reach = (mask?.longest ?? 0) * BYTES_OF_CHARACTER;
  let page = await read(query);
  const size = Math.min(reach, page?.offsetBytes ?? 0);
  let before = '';
  if (page && size > 0) {
    const front = await read({ offsetBytes: page.offsetBytes - size, maxBytes: size });
    if (front?.nextOffsetBytes === page.offsetBytes) before = front.text;
  }
  if (page && mask && isPartOfSecret(page, mask, before)) {
    page = await read({ ...query, maxBytes: query.maxBytes + reach });
  }
  return page && { page, ...toReadablePage(page, mask, before) };
}

function toReadablePage(page: OutputPage, mask: SecretMask | undefined, before: string): ReadablePage {
  const { text, nextOffsetBytes, totalBytes } = page;
  const kept = nextOffsetBytes < totalBytes ? withoutCutEnd(text, mask, before) : text;
  const left = text.slice(kept.length);
  return {
    text: toFinalText(mask ? masked(kept, mask, before) : kept),
    nextOffsetBytes: nextOffsetBytes - Buffer.byteLength(left),
  };
}

/** It can only be shown with what is behind it. */
function isPartOfSecret(
  { text, nextOffsetBytes, totalBytes }: OutputPage,
  mask: SecretMask,
  before: string,
): boolean {
  return text !== '' && nextOffsetBytes < totalBytes && mask.unfinished(before + text) >= text.length;
}

function masked(text: string, mask: SecretMask, before: string): string {
  const end = mask.across(before + text, before.length) - before.length;
  return end > 0 ? MASK + mask(text.slice(end)) : mask(text);
}

function withoutCutEnd(text: string, mask: SecretMask | undefined, before: string): string {
  const lineEnd = text.lastIndexOf('\n') + 1;
  const kept = lineEnd > text.length / 2 ? text.slice(0, lineEnd) : withoutCutEscape(text);
  const unfinished = mask?.unfinished(before + kept) ?? 0;
  const cut = kept.slice(0, Math.max(0, kept.length - unfinished));
  // Bytes that were no characters have lost their number.
  return cut === '' || text.slice(cut.length).includes('\uFFFD') ? text : cut;
}

/** An escape sequence that goes on behind the page: CSI, or a string (OSC, DCS) such as the target of a link. */
const CUT_ESCAPE = /(?:\u001b|\u009b)(?:\[?[0-?]{0,100}[ -/]{0,10}|[\]PX^_][^\u0007\u001b]{0,4000}\u001b?)$/;

function withoutCutEscape(text: string): string {
  return text.slice(0, CUT_ESCAPE.exec(text)?.index ?? text.length);
}
