import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';
import { afterAll } from 'vitest';

import { REPOSITORY } from '../wire/connect.js';

/** The two kinds of decorators, as tsc compiles them. */
export const DIALECTS = {
  legacy: { experimentalDecorators: true, emitDecoratorMetadata: true },
  'legacy without metadata': { experimentalDecorators: true },
  standard: { experimentalDecorators: false },
} as const;
export type Dialect = keyof typeof DIALECTS;

export const DEPOT = readFileSync(fileURLToPath(new URL('fixtures/depot.ts', import.meta.url)), 'utf8');

const MCP = `import { startMcpServer } from 'mcpify';\nawait startMcpServer(() => import('./program.mjs'));\n`;

/**
 * Compiles a program, with an MCP entry beside it, in a folder of its own that finds the packages of this repository.
 *
 * @returns the paths of the program and of the entry
 */
export function compile(
  source: string,
  dialect: Dialect,
): { readonly program: string; readonly mcp: string } {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ES2022,
      ...DIALECTS[dialect],
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'mcpify-classes-'));
  folders.push(folder);
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'), 'junction');
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "depot", "version": "1.0.0", "type": "module" }');
  const paths = { program: join(folder, 'src/program.mjs'), mcp: join(folder, 'src/mcp.mjs') };
  writeFileSync(paths.program, outputText);
  writeFileSync(paths.mcp, MCP);
  return paths;
}

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
