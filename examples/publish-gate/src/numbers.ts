/** A number as it stands in a text. */
export interface NumberInText {
  /** As written, its percent sign or scale word included. */
  readonly written: string;
  /** What two spellings of one number share: `1,000`, `1000` and `1 thousand` have the value `1000`. */
  readonly value: string;
  /** Line that it starts on, from 1. */
  readonly line: number;
}

/**
 * Finds the numbers of a text, in order.
 *
 * English notation: a comma between groups of three digits, a point before decimals. A date, a time of day and a
 * version are one number each. What is part of a name (`sha256`) is none.
 */
export function findNumbers(text: string): readonly NumberInText[] {
  const plain = toAsciiForms(text);
  const lineAt = lineCounter(plain);
  return [...plain.matchAll(NUMBER)].map((match) => ({
    written: text.slice(match.index, match.index + match[0].length).replaceAll(/\s+/g, ' '),
    value: toValue(match.groups as unknown as Parts),
    line: lineAt(match.index),
  }));
}

const SCALES: Readonly<Record<string, number>> = { thousand: 3, million: 6, billion: 9, trillion: 12 };

/** Spaces that typographers put between groups of three digits: no-break, thin, narrow no-break. */
const GROUP_SPACE = '\u00a0\u2009\u202f';

/*
 * A hyphen is a minus sign only where no word, number or bracket ends before it: `5-10` is a range. `v` may stand
 * before a version. Digits behind any other letter, or with letters and digits behind them, are a name: `sha256`,
 * `3f9a1c2`. Every repetition is bounded or cannot fail behind it, so that the time grows with the text alone.
 */
const NUMBER = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}_])(?<![\p{L}\p{N}_]\.)`,
    String.raw`(?:(?<sign>(?<![)\]])[-+])(?=\.?\d)|v(?=\d+\.\d))?`,
    '(?:',
    String.raw`(?<time>\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?`,
    String.raw`|\d{1,2}:\d{2}(?::\d{2})?)(?!\d)`,
    String.raw`|(?<version>\d+(?:\.\d+){2,}(?:-[a-z]{1,20}(?:\.\d+)?)?)`,
    String.raw`|(?<whole>\d{1,3}(?:,\d{3}){1,9}(?!,?\d)|\d{1,3}(?:[${GROUP_SPACE}]\d{3}){1,9}(?!\d)|\d+|(?<!\.)(?=\.\d))`,
    String.raw`(?<decimals>\.\d+)?`,
    String.raw`(?:e(?<exponent>[+-]?\d{1,3})|[ ${GROUP_SPACE}-]?(?<scale>${Object.keys(SCALES).join('|')})s?\b)?`,
    String.raw`(?:[ ${GROUP_SPACE}]?(?<percent>%|per ?cent\b))?`,
    String.raw`(?!\.?\d|\p{L}{1,40}\d)`,
    ')',
  ].join(''),
  'giu',
);

interface Parts {
  readonly sign?: string;
  readonly time?: string;
  readonly version?: string;
  readonly whole?: string;
  readonly decimals?: string;
  readonly exponent?: string;
  readonly scale?: string;
  readonly percent?: string;
}

function toValue({ sign, time, version, whole = '', decimals = '', ...rest }: Parts): string {
  const compound = time ?? version;
  if (compound !== undefined) return compound.toLowerCase();
  const digits = whole.replaceAll(/\D/g, '');
  const shift = Number(rest.exponent ?? 0) + (rest.scale ? (SCALES[rest.scale.toLowerCase()] ?? 0) : 0);
  const value = toDecimal(digits, decimals.slice(1), shift);
  return (sign === '-' && value !== '0' ? '-' : '') + value + (rest.percent ? '%' : '');
}

/** By text and not by `Number`: `0.1`, and integers beyond 2^53, keep every digit. */
function toDecimal(whole: string, decimals: string, shift: number): string {
  const digits = whole + decimals;
  const point = whole.length + shift;
  const padded = digits.padEnd(point, '0').padStart(digits.length + Math.max(0, -point), '0');
  const at = Math.max(0, point);
  const left = padded.slice(0, at).replace(/^0+(?=\d)/, '') || '0';
  const right = padded.slice(at).replace(/0+$/, '');
  return right === '' ? left : `${left}.${right}`;
}

/** Full-width digits and signs, and the real minus sign, character for character: positions stay. */
function toAsciiForms(text: string): string {
  return text
    .replaceAll(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll('\u2212', '-');
}

function lineCounter(text: string): (index: number) => number {
  let line = 1;
  let counted = 0;
  return (index) => {
    for (; counted < index; counted += 1) if (text[counted] === '\n') line += 1;
    return line;
  };
}
