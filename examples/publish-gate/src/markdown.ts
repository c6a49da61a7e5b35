import { findLinks } from './links.js';

/*
 * What of a Markdown text is not prose, blanked out: spaces in its place, so that every line and position stays.
 */

/** Without fenced code blocks. A fence that is never closed reaches to the end, as CommonMark has it. */
export function withoutCodeBlocks(markdown: string): string {
  let fence: string | undefined;
  const lines = markdown.split('\n').map((line) => {
    const [, marks = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)/.exec(line) ?? [];
    if (fence === undefined) {
      if (marks === '' || (marks.startsWith('`') && rest.includes('`'))) return line;
      fence = marks;
    } else if (marks.startsWith(fence) && rest.trim() === '') {
      fence = undefined;
    }
    return blank(line);
  });
  return lines.join('\n');
}

/** Without `inline code`: an address in it is shown, not linked. */
export function withoutInlineCode(markdown: string): string {
  return markdown.replaceAll(/(?<!`)(`{1,3})(?!`)[^`\n]+\1(?!`)/g, blank);
}

/** Without the targets of links and images, and without bare addresses. */
export function withoutLinkTargets(markdown: string): string {
  const pieces: string[] = [];
  let end = 0;
  for (const { url, index } of findLinks(markdown)) {
    pieces.push(markdown.slice(end, index), blank(url));
    end = index + url.length;
  }
  const text = pieces.join('') + markdown.slice(end);
  return text.replaceAll(/\]\([^()\n]*\)/g, blank).replaceAll(/^ {0,3}\[[^\]\n]+\]:.*$/gm, blank);
}

/**
 * Without the numbers of numbered lists (`1.`, `2)`). A wrapped line of prose may begin with a number and a full
 * stop too: as in CommonMark, such a line opens a list only behind a blank line or with the number 1.
 */
export function withoutListNumbers(markdown: string): string {
  let isInList = false;
  let isAfterBlank = true;
  const lines = markdown.split('\n').map((line) => {
    const [marker, number] = /^[ \t>]*(\d{1,9})[.)](?=\s|$)/.exec(line) ?? [];
    const isItem = marker !== undefined && (isInList || isAfterBlank || number === '1');
    if (isItem) isInList = true;
    else if (isAfterBlank && /^\S/.test(line)) isInList = false;
    isAfterBlank = line.trim() === '';
    return isItem ? blank(marker) + line.slice(marker.length) : line;
  });
  return lines.join('\n');
}

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, ' ');
}
