import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, expect, onTestFinished, test } from 'vitest';

import { REPOSITORY } from '../wire/connect.js';

const SOURCE = `import { one } from './one.js';

export function two() {
  // #region body
  if (one) {
    // #region inner
    return 2;
    // #endregion inner
  }
  // #endregion body
}
`;
const FENCE = '```';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpify-snippets-'));
  writeFileSync(join(folder, 'two.ts'), SOURCE);
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

test('the documents of this repository hold what their sources hold', () => {
  expect(checkSnippets(REPOSITORY)).toBe('');
});

test('a region comes without indentation and without marks', () => {
  write(`Text\n\n${FENCE}ts source=two.ts#body\nold\n${FENCE}\n\nMore\n`);
  expect(checkSnippets(folder)).toContain('a.md:3: differs from its source');
  expect(checkSnippets(folder, '--write')).toBe('');
  expect(read()).toBe(
    `Text\n\n${FENCE}ts source=two.ts#body\nif (one) {\n  return 2;\n}\n${FENCE}\n\nMore\n`,
  );
  expect(checkSnippets(folder)).toBe('');
});

test('a whole file, in a list', () => {
  write(`1. First\n\n   ${FENCE}ts source=two.ts\n   ${FENCE}\n`);
  expect(checkSnippets(folder, '--write')).toBe('');
  expect(read()).toContain(
    `   ${FENCE}ts source=two.ts\n   import { one } from './one.js';\n\n   export function`,
  );
  expect(read()).not.toContain('region');
  expect(checkSnippets(folder)).toBe('');
});

test.each([
  ['ts source=three.ts', 'no file three.ts'],
  ['ts source=two.ts#tail', 'no region "tail" in two.ts'],
  ['ts', 'code without "source="'],
  ['js', 'code without "source="'],
])('%s is refused', (info, problem) => {
  write(`${FENCE}${info}\ncode\n${FENCE}\n`);
  expect(checkSnippets(folder)).toBe(`a.md:1: ${problem}\n`);
  expect(read()).toBe(`${FENCE}${info}\ncode\n${FENCE}\n`);
});

test.each(['sh', 'json', 'ts unchecked', ''])('"%s" may stand without a source', (info) => {
  write(`${FENCE}${info}\ncode\n${FENCE}\n`);
  expect(checkSnippets(folder)).toBe('');
});

function write(text: string): void {
  writeFileSync(join(folder, 'a.md'), text);
}

function read(): string {
  return readFileSync(join(folder, 'a.md'), 'utf8');
}

/** What the script tells on stderr; its exit code says the same. */
function checkSnippets(root: string, ...args: string[]): string {
  const script = join(REPOSITORY, 'scripts/check-snippets.mjs');
  const { stderr, status } = spawnSync(process.execPath, [script, ...args, root], { encoding: 'utf8' });
  expect(status).toBe(stderr === '' ? 0 : 1);
  return stderr;
}
