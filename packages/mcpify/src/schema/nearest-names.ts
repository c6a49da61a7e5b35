/** The known names that a misspelt one may have meant, best first, three at most. */
export function nearestNames(wrong: string, known: Iterable<string>): readonly string[] {
  const wanted = normalized(wrong).slice(0, LONGEST_NAME);
  const scored: { readonly name: string; readonly distance: number }[] = [];
  for (const name of known) {
    const candidate = normalized(name);
    const limit = Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3));
    const distance =
      wanted.length >= 3 && (candidate.includes(wanted) || wanted.includes(candidate))
        ? 1
        : editDistance(wanted, candidate, limit);
    if (candidate !== '' && distance <= limit) scored.push({ name, distance });
  }
  scored.sort((a, b) => a.distance - b.distance);
  return scored.slice(0, 3).map(({ name }) => name);
}

const LONGEST_NAME = 80;

function normalized(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
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
