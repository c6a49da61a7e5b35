import { describe, expect, test } from 'vitest';

import { membersOf, textOf } from './source-text.js';

test('every usage error has a heading of its own', () => {
  const type = textOf('packages/mcpify/src/errors/usage-error.ts').split('type UsageErrorCode')[1] ?? '';
  const codes = [...type.matchAll(/'([A-Z_]+)'/g)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(10);
  const headings = [...textOf('docs/errors.md').matchAll(/^### `(\w+)`$/gm)].map(([, code]) => code!);
  expect(headings).toEqual(codes.toSorted((a, b) => headings.indexOf(a) - headings.indexOf(b)));
});

describe.each([
  ['docs/settings.md', 'packages/mcpify/src/options/mcp-options.ts', 'McpOptions'],
  ['docs/http.md', 'packages/mcpify/src/options/http-options.ts', 'HttpOptions'],
])('%s', (document, file, name) => {
  test.each(membersOf(file, name))('tells of %s', (member) => {
    expect(textOf(document)).toContain(`\`${member}\``);
  });
});

test('every dependency has its reason, and is told how it is kept', () => {
  const [text = '', upkeep = ''] = textOf('docs/dependencies.md').split('## Upkeep');
  for (const name of ['markers', 'mcpify', 'class-commands']) {
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(
      textOf(`packages/${name}/package.json`),
    ) as Record<'dependencies' | 'peerDependencies', Record<string, string> | undefined>;
    for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) {
      expect(text).toContain(`\`${dependency}\``);
      if (!dependency.startsWith('@mcpify/')) expect(upkeep).toContain(`| \`${dependency}\` `);
    }
  }
});

describe('docs/tasks.md', () => {
  const rows = [...textOf('docs/tasks.md').matchAll(/^\| (G\d+) +\|[^|]+\|([^|]+)\|$/gm)];

  test('has all of the guarantees', () => {
    expect(rows.map(([, number]) => number)).toEqual(Array.from({ length: 20 }, (_, at) => `G${at + 1}`));
  });

  test.each(rows.map(([, number, tests]) => [number!, tests!] as const))(
    '%s names tests that are there',
    (_number, tests) => {
      for (const line of tests.split('<br>')) {
        const [, file] = /\]\(\.\.\/([^)]+)\)/.exec(line)!;
        const titles = [...line.matchAll(/`([^`]+)`/g)].map(([, title]) => title!);
        expect(titles.length).toBeGreaterThan(0);
        for (const title of titles) expect(textOf(file!)).toContain(title);
      }
    },
  );
});

test('the command that makes the figures of performance.md is there, with the parts that it names', () => {
  const document = textOf('docs/performance.md');
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const command = /pnpm@[\d.]+ (\w+)/.exec(document)?.[1] ?? '';
  expect(scripts[command]).toContain('node bench/run.mjs');
  const parts = /--only ([\w,]+)/.exec(document)?.[1]?.split(',') ?? [];
  expect(parts).not.toHaveLength(0);
  for (const part of parts) expect(textOf('bench/run.mjs')).toMatch(new RegExp(`^ {2}${part}: measure`, 'm'));
});
