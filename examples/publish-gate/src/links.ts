/** An `http` or `https` link as it stands in a text. */
export interface LinkInText {
  /** As written, up to where the link ends. */
  readonly url: string;
  /** Position of its first character. */
  readonly index: number;
  /** Line that it stands on, from 1. */
  readonly line: number;
}

/**
 * Finds the links of a text, in order, however Markdown or HTML write them: inline, as a reference, in angle
 * brackets, in an attribute, bare. An address inside another one (of an archive, say) is part of it.
 */
export function findLinks(text: string): readonly LinkInText[] {
  const links: LinkInText[] = [];
  let lineStart = 0;
  for (const [lineIndex, lineText] of text.split('\n').entries()) {
    let end = 0;
    for (const { index } of lineText.matchAll(/\bhttps?:\/\//gi)) {
      if (index < end) continue;
      const url = cutEnd(lineText, index);
      end = index + url.length;
      links.push({ url, index: lineStart + index, line: lineIndex + 1 });
    }
    lineStart += lineText.length + 1;
  }
  return links;
}

const FOREIGN = /[\s<>"'`|\\^{}]/;

/** A closing bracket ends a link unless the link itself opened it: `…/wiki/Gate_(logic)` stays whole. */
function cutEnd(line: string, start: number): string {
  const open: string[] = [];
  let end = start;
  for (; end < line.length; end += 1) {
    const character = line.charAt(end);
    if (FOREIGN.test(character)) break;
    if (character === '(') open.push(')');
    if (character === '[') open.push(']');
    if ((character === ')' || character === ']') && open.pop() !== character) break;
  }
  // The full stop behind a link is the sentence's; so are marks of emphasis.
  while (/[.,;:!?*_~]/.test(line.charAt(end - 1))) end -= 1;
  return line.slice(start, end);
}
