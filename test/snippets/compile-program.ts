import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import ts from 'typescript';
import { onTestFinished } from 'vitest';

import { REPOSITORY } from '../wire/connect.js';

/**
 * A program as tsc would build it, in a folder of its own that finds the packages of this repository.
 *
 * @param folder where its sources are
 * @param names the files, without extension
 * @param whenDone when the folder goes @default with the test that asks for it
 */
export function compileProgram(
  folder: string,
  packageName: string,
  names: readonly string[],
  whenDone: (remove: () => void) => void = onTestFinished,
): string {
  const target = mkdtempSync(join(tmpdir(), 'mcpify-snippet-'));
  whenDone(() => rmSync(target, { recursive: true }));
  symlinkSync(join(REPOSITORY, 'node_modules'), join(target, 'node_modules'), 'junction');
  const manifest = { name: packageName, version: '1.0.0', type: 'module' };
  writeFileSync(join(target, 'package.json'), JSON.stringify(manifest));
  mkdirSync(join(target, 'dist'));
  for (const name of names) {
    const { outputText } = ts.transpileModule(readFileSync(join(folder, `${name}.ts`), 'utf8'), {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 },
    });
    writeFileSync(join(target, `dist/${name}.js`), outputText);
  }
  return target;
}
