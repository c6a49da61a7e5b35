/**
 * A name in the letters that every client takes: accents are left out (`région` becomes `region`), letters that are no
 * accented ones are written out (`straße` becomes `strasse`). What no Latin letter stands for stays as it is.
 */
export function toAsciiLetters(name: string): string {
  if (!BEYOND_ASCII.test(name)) return name;
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/\p{L}/gu, (letter) => LETTERS[letter] ?? capital(letter) ?? letter)
    .normalize('NFC');
}

/** Whether some letters of a name have no Latin ones to stand for them. */
export function losesLetters(name: string): boolean {
  return BEYOND_ASCII.test(name) && /[^\P{L}A-Za-z]/u.test(toAsciiLetters(name));
}

const BEYOND_ASCII = /[^\u0000-\u007F]/;

/** Latin letters that no normal form takes apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
};

function capital(letter: string): string | undefined {
  const written = LETTERS[letter.toLowerCase()];
  return written && written.charAt(0).toUpperCase() + written.slice(1);
}
