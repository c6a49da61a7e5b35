import { expect } from 'vitest';

import { textOf } from './source-text.js';

/** The rows `| id | what | tests |` of a document, in their order. */
export function rowsOf(
  document: string,
  id: RegExp,
): readonly (readonly [id: string, what: string, tests: string])[] {
  const row = new RegExp(`^\\| (${id.source}) *\\|([^|]*)\\|([^|]*)\\|$`);
  return textOf(document)
    .split('\n')
    .flatMap((line) => {
      const [, name, what, tests] = row.exec(line) ?? [];
      return name === undefined ? [] : [[name, what!.trim(), tests!.trim()] as const];
    });
}

/**
 * Every line of the cell is a file of tests and titles that are in it.
 *
 * @param rule that the titles must cite
 */
export function expectTests(cell: string, rule?: string): void {
  for (const line of cell.split('<br>')) {
    const file = /^\[[^\]]+\]\(\.\.\/(test\/[^)]+\.test\.ts)\): `/.exec(line)?.[1];
    expect(file, `a file of tests and their titles: "${line}"`).toBeDefined();
    const source = textOf(file!);
    const titles = [...line.matchAll(/`([^`]+)`/g)].map(([, title]) => title!);
    for (const title of titles) expect(holdsTitle(source, title, rule), `${file}: ${title}`).toBe(true);
  }
}

/**
 * A title is a whole literal, maybe with its rules (`P7: …`) before it or behind it (`… (P7)`); a comment that has the
 * words is none.
 */
function holdsTitle(source: string, title: string, rule: string | undefined): boolean {
  const literals = [...source.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`/g)].map(
    ([, single, double, template]) => single ?? double ?? template ?? '',
  );
  return literals.some((literal) => {
    const rules = /^(?:P\d+(?:, )?)+: /.exec(literal)?.[0] ?? '';
    const end = / \((?:P\d+(?:, )?)+\)$/.exec(literal)?.[0] ?? '';
    const bare = literal.slice(rules.length, literal.length - end.length);
    if (literal !== title && literal.slice(rules.length) !== title && bare !== title) return false;
    return rule === undefined || new RegExp(`\\b${rule}\\b`).test(`${rules}${end}`);
  });
}
