import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { REPOSITORY } from '../wire/connect.js';

const PATH = ['start', 'serving', 'registry', 'tools', 'invocation', 'execution', 'tasks', 'child-process'];
const GROUND = ['schema', 'session', 'result', 'errors', 'options'];
const ALL = [...PATH, ...GROUND];

interface Import {
  readonly folder: string;
  readonly from: string;
  readonly allowed: boolean;
}

const folderImports = ALL.flatMap((folder) =>
  ALL.filter((other) => other !== folder).map((other): Import => {
    const isBehind = PATH.includes(folder) && PATH.indexOf(other) > PATH.indexOf(folder);
    return { folder, from: `../${other}/thing.js`, allowed: GROUND.includes(other) || isBehind };
  }),
);

const packageImports = ALL.flatMap((folder): Import[] => [
  { folder, from: '@modelcontextprotocol/server', allowed: folder === 'serving' },
  { folder, from: '@modelcontextprotocol/server/stdio', allowed: folder === 'serving' },
  { folder, from: '@modelcontextprotocol/sdk/types.js', allowed: false },
  { folder, from: 'node:child_process', allowed: folder === 'child-process' },
  { folder, from: 'child_process', allowed: folder === 'child-process' },
  { folder, from: '@cfworker/json-schema', allowed: folder === 'schema' },
  { folder, from: 'commander', allowed: false },
  { folder, from: '@commander-js/extra-typings', allowed: false },
  { folder, from: 'mcpify', allowed: false },
  { folder, from: '../index.js', allowed: false },
  { folder, from: '../testing/index.js', allowed: false },
]);

/** The SDK that most do not install. */
const ofSdkV1: readonly Import[] = [
  { folder: 'serving/sdk-v1', from: '@modelcontextprotocol/sdk/types.js', allowed: true },
  { folder: 'serving/sdk-v1', from: '../../start/thing.js', allowed: false },
  { folder: 'serving/attach', from: '@modelcontextprotocol/sdk/types.js', allowed: false },
  { folder: 'serving/attach', from: '../sdk-v1/thing.js', allowed: false },
];

const imports = [...folderImports, ...packageImports, ...ofSdkV1];
const root = mkdtempSync(join(tmpdir(), 'mcpify-walls-'));
let refused = new Set<string>();

beforeAll(() => {
  copyFileSync(join(REPOSITORY, '.oxlintrc.json'), join(root, '.oxlintrc.json'));
  for (const each of imports) {
    const file = join(root, fileOf(each));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `import { thing } from '${each.from}';\nexport const used = thing;\n`);
  }
  refused = new Set(
    lint()
      .filter((line) => line.includes('no-restricted-imports'))
      .map((line) => line.split(':')[0]!),
  );
});

afterAll(() => rmSync(root, { recursive: true }));

test.each(imports)('$folder imports $from: $allowed', (each) => {
  expect(refused.has(fileOf(each))).toBe(!each.allowed);
});

describe('every form of an import stands before the wall', () => {
  test.each([
    ['a dynamic import', "export const used = await import('node:child_process');", true],
    ['a re-export', "export { spawn } from 'node:child_process';", true],
    ['a re-export of all', "export * from '../start/thing.js';", true],
    [
      'a type',
      "import type { Server } from '@modelcontextprotocol/server';\nexport type Used = Server;",
      true,
    ],
    ['an import for its effect', "import '../serving/thing.js';", true],
    ['a type of commander', "import type { Command } from 'commander';\nexport type Used = Command;", false],
  ])('%s', (name, code, isRefused) => {
    const file = join('packages/mcpify/src/schema', `${name.replaceAll(' ', '-')}.ts`);
    writeFileSync(join(root, file), `${code}\n`);
    expect(problemsOf(file).some((line) => line.includes('no-restricted-imports'))).toBe(isRefused);
  });
});

test.each([
  ['@mcpify/markers', false],
  ['./thing.js', false],
  ['node:module', false],
  ['commander', true],
  ['mcpify', true],
  ['mcpify/testing', true],
  ['../../mcpify/src/index.js', true],
  ['node:child_process', true],
  ['@modelcontextprotocol/server', true],
])('class-commands: %s is refused: %s', (from, isRefused) => {
  const file = `packages/class-commands/src/${from.replaceAll(/[^a-z]+/g, '-')}.ts`;
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), `import { thing } from '${from}';\nexport const used = thing;\n`);
  expect(problemsOf(file).some((line) => line.includes('no-restricted-imports'))).toBe(isRefused);
});

// The linter does not see these ways in: the source is asked.
test.each([
  ['the SDK', /['"`]@modelcontextprotocol\//, /^(serving|testing)\//],
  ['child processes', /['"`](node:)?child_process['"`]/, /^(child-process|testing\/backend-conformance)\//],
  ['commander at run time', /(require|import)\(['"`](commander|@commander-js)/, /^$/],
  ['a built-in module by name', /getBuiltinModule/, /^$/],
])('nobody comes round the wall to %s', (_, pattern, folders) => {
  const source = join(REPOSITORY, 'packages/mcpify/src');
  const users = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && pattern.test(readFileSync(join(source, file), 'utf8')));
  expect(users.filter((file) => !folders.test(file))).toEqual([]);
});

test('circles are refused', () => {
  const folder = 'packages/mcpify/src/schema';
  writeFileSync(join(root, folder, 'one.ts'), "import { two } from './two.js';\nexport const one = two;\n");
  writeFileSync(join(root, folder, 'two.ts'), "import { one } from './one.js';\nexport const two = one;\n");
  expect(problemsOf(folder).some((line) => line.includes('no-cycle'))).toBe(true);
});

test('default exports are refused', () => {
  const file = 'packages/mcpify/src/schema/default-export.ts';
  writeFileSync(join(root, file), 'export default 1;\n');
  expect(problemsOf(file).some((line) => line.includes('no-default-export'))).toBe(true);
});

test('long files and long functions are warned of', () => {
  const file = 'packages/mcpify/src/schema/long.ts';
  const lines = (count: number) => 'count += 1;\n'.repeat(count);
  const code = (count: number) => `export function long(count: number) {\n${lines(count)}return count;\n}\n`;
  writeFileSync(join(root, file), code(300));
  const warned = problemsOf(file).filter((line) => /max-lines/.test(line));
  expect(warned.map((line) => /max-lines[a-z-]*/.exec(line)?.[0]).toSorted()).toEqual([
    'max-lines',
    'max-lines-per-function',
  ]);
  expect(warned.every((line) => line.includes('Warning'))).toBe(true);
  writeFileSync(join(root, file), code(57));
  expect(problemsOf(file).some((line) => line.includes('max-lines'))).toBe(false);
});

test('the configuration is the one that is generated', () => {
  execFileSync(process.execPath, ['scripts/write-lint-config.mjs', '--check'], { cwd: REPOSITORY });
});

function fileOf({ folder, from }: Import): string {
  return `packages/mcpify/src/${folder}/${from.replaceAll(/[^a-z]+/g, '-')}.ts`;
}

/** What the linter says of a file or a folder of the copy: a line each. */
function problemsOf(path: string): readonly string[] {
  return lint(path).filter((line) => line.startsWith(path));
}

function lint(path = '.'): readonly string[] {
  const oxlint = join(REPOSITORY, 'node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '-f', 'unix', path], {
    cwd: root,
    encoding: 'utf8',
  });
  return stdout.split('\n');
}
