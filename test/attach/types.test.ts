import { readFileSync } from 'node:fs';

import type { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { McpServer as ServerV2 } from '@modelcontextprotocol/server';
import { attach } from 'mcpify';
import { expect, expectTypeOf, test } from 'vitest';

/** The packages whose types a compiler reads that is given this file. */
function packagesOf(file: URL, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file.href)) return new Set();
  seen.add(file.href);
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const names = [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name]) => name!);
  const found = names.flatMap((name) =>
    name.startsWith('.')
      ? [...packagesOf(new URL(name.replace(/\.js$/, '.d.ts'), file), seen)]
      : [
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        ],
  );
  return new Set(found);
}

test('whoever never attaches needs no types of an SDK', () => {
  const index = new URL('../../packages/mcpify/dist/index.d.ts', import.meta.url);
  expect([...packagesOf(index)]).not.toContainEqual(expect.stringContaining('modelcontextprotocol'));
});

test('each SDK has its own entry', () => {
  const load = () => Promise.resolve({});
  expectTypeOf(attach).toBeCallableWith({} as ServerV2, load);
  // @ts-expect-error that one is for `mcpify/sdk-v1`
  expectTypeOf(attach).toBeCallableWith({} as ServerV1, load);
});
