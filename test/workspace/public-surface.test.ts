import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';
import { expect, test } from 'vitest';

import { REPOSITORY } from '../wire/connect.js';

/* What can be imported, by name: a line that goes from here breaks somebody, one that comes is a promise. */

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, { readonly types: string }>>;
}

const ENTRIES = ['markers', 'class-commands', 'mcpify'].flatMap((folder) => {
  const root = join(REPOSITORY, 'packages', folder);
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  return Object.entries(exports).map(([path, { types }]) => ({
    entry: path.replace('.', name),
    file: join(root, types),
  }));
});

test('what each entry exports changes only on purpose', async () => {
  const program = ts.createProgram(
    ENTRIES.map(({ file }) => file),
    { module: ts.ModuleKind.NodeNext, noLib: true, types: [], skipLibCheck: true },
  );
  const checker = program.getTypeChecker();
  const shown = ENTRIES.map(({ entry, file }) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!);
    const symbols = checker.getExportsOfModule(module!).map((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return `${target.flags & ts.SymbolFlags.Value ? '' : 'type '}${symbol.name}`;
    });
    return [`# ${entry}`, ...symbols.toSorted()].join('\n');
  });
  await expect(`${shown.join('\n\n')}\n`).toMatchFileSnapshot('public-surface.txt');
});

test.each([
  'mcpify/dist/index.js',
  'mcpify/src/index.ts',
  'mcpify/serving/create-server.js',
  'mcpify/package.json',
  '@mcpify/markers/dist/marks.js',
  '@mcpify/class-commands/dist/run-class.js',
])('%s is out of reach', (path) => {
  expect(() => import.meta.resolve(path)).toThrow(/ERR_PACKAGE_PATH_NOT_EXPORTED|not (?:defined|exported)/);
});
