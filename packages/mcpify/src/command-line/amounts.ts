const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** `2 min 5 s`: the largest unit and the one below it. */
export function formatDuration(durationMs: number): string {
  let seconds = Math.floor(durationMs / 1_000);
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(seconds / size);
    seconds -= count * size;
    if (count > 0 || parts.length > 0 || unit === 's')
      parts.push(count > 0 || unit === 's' ? `${count} ${unit}` : '');
    if (parts.length === 2) break;
  }
  return parts.filter((part) => part !== '').join(' ');
}

const PREFIXES = ['', 'k', 'M', 'G', 'T'] as const;

/** `1.5 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let step = 0;
  while (value >= 999.5 && step < PREFIXES.length - 1) {
    value /= 1_000;
    step += 1;
  }
  return `${step > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${PREFIXES[step]}B`;
}
