import { toFinalText } from './to-final-text.js';
import type { ContentBlock, ToolResult } from './tool-result.js';

/** Shorter ones are words that stand everywhere. */
const SHORTEST_SECRET = 4;

export const MASK = '***';

export type MaskText = (text: string) => string;

/** Which ends of a text were cut off. */
interface CutEnds {
  readonly start?: boolean | undefined;
  readonly end?: boolean | undefined;
}

export interface SecretMask extends MaskText {
  /** How many characters at the end of a text may be the beginning of a secret that goes on behind it. */
  unfinished(text: string): number;
  /** Where a secret ends that begins in front of this place and goes on behind it; the place itself where none does. */
  across(text: string, place: number): number;
  /** What is left of a text that was cut from a longer one: secrets, and what it has of one at an end that was cut. */
  piece(text: string, isCut: CutEnds): string;
  /** The length of the longest secret, in characters, as it may be spelled. */
  readonly longest: number;
}

/**
 * Hides values of secret parameters in what goes back to the caller (K22): as they are, as JSON and URLs write them, and
 * their lines, since much of what a command prints is read by the line.
 *
 * @returns undefined where there is nothing to hide
 */
export function createMask(secrets: readonly string[]): SecretMask | undefined {
  const spellings = new Set(secrets.filter(isLong).flatMap(spellingsOf).filter(isLong));
  if (spellings.size === 0) return undefined;
  // A secret may be a part of another one.
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
  const mask: MaskText = (text) =>
    longestFirst.reduce((masked, secret) => masked.replaceAll(secret, () => MASK), text);
  const most = (lengthIn: (secret: string) => number) => Math.max(...longestFirst.map(lengthIn));
  return Object.assign(mask, {
    unfinished: (text: string) => most((secret) => beginningAtEnd(secret, text)),
    across: (text: string, place: number) => most((secret) => endAcross(secret, text, place)),
    piece(text: string, { start, end }: CutEnds) {
      const begun = start ? most((secret) => endAtBeginning(secret, text)) : 0;
      const first = begun >= SHORTEST_SECRET ? begun : 0;
      const masked = mask(text.slice(first));
      const unfinished = end ? most((secret) => beginningAtEnd(secret, masked)) : 0;
      const last = unfinished >= SHORTEST_SECRET ? unfinished : 0;
      return `${first > 0 ? MASK : ''}${masked.slice(0, masked.length - last)}${last > 0 ? MASK : ''}`;
    },
    longest: longestFirst[0]?.length ?? 0,
  });
}

function isLong(secret: string): boolean {
  return secret.length >= SHORTEST_SECRET;
}

function spellingsOf(secret: string): readonly string[] {
  const lines = /[\r\n]/.test(secret) ? secret.split(/[\r\n]+/) : [];
  return [
    secret,
    toFinalText(secret),
    JSON.stringify(secret).slice(1, -1),
    toUrlPart(secret),
    ...lines.map((line) => line.trim()),
  ];
}

function beginningAtEnd(secret: string, text: string): number {
  let length = Math.min(secret.length - 1, text.length);
  while (length > 0 && !text.endsWith(secret.slice(0, length))) length -= 1;
  return length;
}

function endAtBeginning(secret: string, text: string): number {
  let length = Math.min(secret.length - 1, text.length);
  while (length > 0 && !text.startsWith(secret.slice(-length))) length -= 1;
  return length;
}

function endAcross(secret: string, text: string, place: number): number {
  const found = text.indexOf(secret, Math.max(0, place - secret.length + 1));
  return found !== -1 && found < place ? found + secret.length : place;
}

/** Texts and structured content alike. */
export function maskResult(result: ToolResult, mask: MaskText | undefined): ToolResult {
  if (!mask) return result;
  const { content, structuredContent } = result;
  return {
    ...result,
    content: content.map((block) => maskBlock(block, mask)),
    ...(structuredContent && {
      structuredContent: maskValue(structuredContent, mask) as typeof structuredContent,
    }),
  };
}

/** What the protocol reads of a block, and what is no text: a block of another form would be lost with its result. */
const KEPT = new Set(['type', 'mimeType', 'data', 'blob', 'size', 'annotations']);

function maskBlock(block: ContentBlock, mask: MaskText): ContentBlock {
  const members = Object.entries(block).map(
    ([name, member]) => [name, maskMember(name, member, mask)] as const,
  );
  return Object.fromEntries(members) as unknown as ContentBlock;
}

function maskMember(name: string, member: unknown, mask: MaskText): unknown {
  if (KEPT.has(name)) return member;
  return name === 'resource' ? maskBlock(member as ContentBlock, mask) : maskValue(member, mask);
}

/** Texts, and what is written as a text that holds a secret: a PIN may be a number, and a name that of a property. */
export function maskValue(value: unknown, mask: MaskText): unknown {
  if (Array.isArray(value)) return value.map((each) => maskValue(each, mask));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [mask(key), maskValue(each, mask)]));
  }
  if (typeof value === 'string') return mask(value);
  const text = String(value);
  const masked = mask(text);
  return masked === text ? value : masked;
}

function toUrlPart(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    // Half a surrogate pair has no spelling there.
    return secret;
  }
}
