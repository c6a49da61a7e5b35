import type { Finding } from './finding.js';
import { withoutCodeBlocks, withoutLinkTargets, withoutListNumbers } from './markdown.js';
import { findNumbers } from './numbers.js';

/**
 * Reports each number of the draft that the facts do not hold: once, with all the lines that it stands on.
 *
 * Not looked at in the draft: fenced code blocks, link targets, the numbers of numbered lists. A date in the facts
 * stands for its year too. That a number is in the facts does not make the sentence around it true.
 */
export function checkNumbers(draft: string, facts: string): readonly Finding[] {
  const known = new Set(findNumbers(facts).flatMap(({ value }) => [value, ...partsOfDate(value)]));
  const missing = new Map<string, { written: string; lines: Set<number> }>();
  for (const { written, value, line } of findNumbers(proseOf(draft))) {
    if (known.has(value)) continue;
    const entry = missing.get(value) ?? { written, lines: new Set() };
    entry.lines.add(line);
    missing.set(value, entry);
  }
  return [...missing.values()].map(({ written, lines }) => ({
    lines: [...lines],
    text: `${written} is not in the facts`,
  }));
}

function proseOf(draft: string): string {
  return withoutListNumbers(withoutLinkTargets(withoutCodeBlocks(draft)));
}

function partsOfDate(value: string): readonly string[] {
  const [day, year] = /^(\d{4})-\d{2}-\d{2}/.exec(value) ?? [];
  return day === undefined || year === undefined ? [] : [day, year];
}
