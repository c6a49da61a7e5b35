import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { marksOf } from '@mcpify/markers';
import ts from 'typescript';
import { expect, test } from 'vitest';

const SOURCE = `
import { McpReadOnly, McpTitle, McpTool } from '${import.meta.resolve('@mcpify/markers')}';

function replace(target, _context) {
  return class Replaced extends target {};
}

export @replace @McpTool({ name: 'tool' }) @McpTitle('A title') @McpReadOnly class Run {}
`;

test('standard decorators, as tsc compiles them, survive a class that is replaced', async () => {
  const { outputText } = ts.transpileModule(SOURCE, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ES2022,
      experimentalDecorators: false,
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'mcpify-test-'));
  try {
    const file = join(folder, 'run.mjs');
    writeFileSync(file, outputText);
    const { Run } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { Run: new () => object };
    expect(Run.name).toBe('Replaced');
    expect(marksOf(new Run())).toEqual({ tool: { name: 'tool' }, title: 'A title', readOnly: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
