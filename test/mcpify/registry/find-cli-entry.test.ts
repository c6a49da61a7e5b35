import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { findCliEntry } from '../../../packages/mcpify/src/registry/find-cli-entry.js';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcpify-entry-')));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Writes files, the manifest with these programs among them, and looks from the MCP script. */
function find(files: readonly string[], bin: unknown, script: string, setting?: string): string {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'tool', bin }));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  return findCliEntry(setting, join(folder, script), 'tool build').replace(`${folder}/`, '');
}

test.each<[what: string, files: string[], bin: unknown, script: string, entry: string]>([
  [
    'the only program of the package',
    ['dist/tool.js', 'dist/mcp.js'],
    './dist/tool.js',
    'dist/mcp.js',
    'dist/tool.js',
  ],
  [
    'the program that is not the MCP script',
    ['dist/tool.js', 'dist/mcp.js'],
    { tool: 'dist/tool.js', 'tool-mcp': 'dist/mcp.js' },
    'dist/mcp.js',
    'dist/tool.js',
  ],
  [
    'one script under two names',
    ['dist/tool.js', 'dist/mcp.js'],
    { tool: 'dist/tool.js', t: './dist/tool.js' },
    'dist/mcp.js',
    'dist/tool.js',
  ],
  [
    'from sources: the source, never the build',
    ['dist/main.js', 'src/main.ts', 'src/mcp.ts'],
    'dist/main.js',
    'src/mcp.ts',
    'src/main.ts',
  ],
  [
    'the script beside the MCP script',
    ['dist/cli.js', 'dist/mcp.js'],
    undefined,
    'dist/mcp.js',
    'dist/cli.js',
  ],
  ['the script beside it with another extension', ['main.js', 'mcp.mjs'], undefined, 'mcp.mjs', 'main.js'],
  [
    'of those, the one with its own extension',
    ['main.js', 'cli.mjs', 'main.cjs', 'mcp.mjs'],
    undefined,
    'mcp.mjs',
    'cli.mjs',
  ],
  [
    'beside sources, a source',
    ['src/main.mts', 'src/main.js', 'src/mcp.ts'],
    undefined,
    'src/mcp.ts',
    'src/main.mts',
  ],
  [
    'a program that is not built yet does not count',
    ['src/index.ts', 'src/mcp.ts'],
    'dist/gone.js',
    'src/mcp.ts',
    'src/index.ts',
  ],
])('%s', (_, files, bin, script, entry) => {
  expect(find(files, bin, script)).toBe(entry);
});

test('a manifest that only says the type of its modules is passed over', () => {
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist/package.json'), '{ "type": "module" }');
  expect(find(['dist/tool.js', 'dist/mcp.js'], 'dist/tool.js', 'dist/mcp.js')).toBe('dist/tool.js');
});

test('links are followed: the MCP script under its name in .bin is itself', () => {
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist/mcp.js'), '');
  symlinkSync('../dist/mcp.js', join(folder, 'bin/linked'));
  expect(find(['dist/tool.js'], { a: 'dist/tool.js', b: 'dist/mcp.js' }, 'bin/linked')).toBe('dist/tool.js');
});

test('the setting wins; it starts from the folder of the MCP script', () => {
  const files = ['dist/tool.js', 'dist/other.js', 'dist/mcp.js'];
  expect(find(files, 'dist/tool.js', 'dist/mcp.js', './other.js')).toBe('dist/other.js');
  expect(() => find(files, 'dist/tool.js', 'dist/mcp.js', './gone.js')).toThrow(
    expect.objectContaining({
      code: 'CLI_ENTRY_NOT_FOUND',
      message: expect.stringContaining('gone.js') as string,
    }),
  );
});

test('none: the message names the command, what was looked for, and the setting', () => {
  expect(() => find(['dist/mcp.js', 'dist/main.ts'], undefined, 'dist/mcp.js')).toThrow(
    expect.objectContaining({
      code: 'CLI_ENTRY_NOT_FOUND',
      message: expect.stringMatching(
        /"tool build".*main, cli, index \(\.js, \.mjs, \.cjs\) lies beside it.*cliEntry/,
      ) as string,
    }),
  );
});

test.each([
  [
    'two programs',
    ['dist/a.js', 'dist/b.js', 'dist/mcp.js'],
    { a: 'dist/a.js', b: 'dist/b.js' },
    /a\.js, b\.js/,
  ],
  ['two scripts beside it', ['dist/main.js', 'dist/cli.js', 'dist/mcp.js'], undefined, /main\.js, cli\.js/],
])('%s: the message names the command and the candidates', (_, files, bin, candidates) => {
  let message = '';
  try {
    find(files, bin, 'dist/mcp.js');
  } catch (error) {
    message = (error as Error).message;
    expect(error).toMatchObject({ code: 'CLI_ENTRY_AMBIGUOUS' });
  }
  expect(message).toMatch(candidates);
  expect(message).toContain('"tool build"');
});
