import { toAsciiLetters } from './ascii-letters.js';

/** The known names that a misspelt one may have meant, best first, three at most. */
export function nearestNames(wrong: string, known: Iterable<string>): readonly string[] {
  const wanted = toWords(wrong.slice(0, LONGEST_NAME));
  const scored: { readonly name: string; readonly distance: number }[] = [];
  for (const name of known) {
    const candidate = toWords(name);
    const limit = mostEdits(Math.max(wanted.text.length, candidate.text.length));
    // What holds a word of three letters has three itself: one slip is within its limit.
    const distance = holds(wanted, candidate) ? 1 : editDistance(wanted.text, candidate.text, limit);
    if (candidate.text !== '' && distance <= limit) scored.push({ name, distance });
  }
  scored.sort((a, b) => a.distance - b.distance);
  return scored.slice(0, 3).map(({ name }) => name);
}

const LONGEST_NAME = 80;

/** One slip in short names, a fourth of the letters in long ones; of two letters, one is the half. */
function mostEdits(length: number): number {
  return length < 3 ? 0 : Math.max(1, Math.floor(length / 4));
}

interface Words {
  /** Letters and digits, lower case. */
  readonly text: string;
  /** Where each word of it begins. */
  readonly starts: readonly number[];
}

/** `dryRun`, `dry-run` and `--dry_run` are two words. */
function toWords(name: string): Words {
  const words = toAsciiLetters(name)
    .replaceAll(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
  let length = 0;
  const starts = words.map((word) => (length += word.length) - word.length);
  return { text: words.join(''), starts };
}

/** Whether one is a word of the other, or most of it: `dir` and `outputDir`, but not `run` and `truncate`. */
function holds(first: Words, second: Words): boolean {
  const [short, long] = first.text.length <= second.text.length ? [first, second] : [second, first];
  if (short.text === long.text || short.text.length < 3) return false;
  if (!long.text.includes(short.text)) return false;
  const isMost = short.text.length * 2 > long.text.length;
  return isMost || long.starts.some((start) => long.text.startsWith(short.text, start));
}

/** Levenshtein distance with a swap of neighbours as one edit; more than `limit` where the lengths alone say so. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const substituted = (last[j - 1] ?? 0) + cost;
      let best = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, substituted);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
