// Writes .oxlintrc.json: the walls of packages/mcpify/src from one list. `--check` only compares.
// A rule of an override replaces the rule of the same name, so each folder's rule repeats the package walls.
import { readFileSync, writeFileSync } from 'node:fs';

/** The path of a tool call: a folder imports those behind it, never those before it. */
const PATH = [
  'command-line',
  'start',
  'serving',
  'registry',
  'tools',
  'invocation',
  'execution',
  'tasks',
  'child-process',
];

/** The ground floor: imported by all, imports only itself. */
const GROUND = ['schema', 'session', 'result', 'errors', 'options'];

/** Each outside library stands behind one wall. */
const PACKAGE_WALLS = [
  { group: ['@modelcontextprotocol/*', '@modelcontextprotocol/*/**'], folders: ['serving', 'testing'] },
  // The conformance suite's own command starts processes, as any CLI may.
  { group: ['child_process', 'node:child_process'], folders: ['child-process', 'testing'] },
  { group: ['@cfworker/json-schema'], folders: ['schema'] },
  // The program comes from the caller: its copy of commander must never meet a second one.
  // The command `mcpify` itself never meets a user's program.
  {
    group: ['commander', 'commander/*', '@commander-js/*'],
    folders: ['command-line'],
    typesOnly: true,
  },
  // The doors of the package itself: whoever goes in through one of them goes round in a circle.
  { group: ['mcpify', 'mcpify/*', '**/src/index.js', '../index.js'], folders: ['testing'] },
];

const SOURCE = 'packages/mcpify/src';
const CLASS_COMMANDS = 'packages/class-commands/src';
const WALL = 'This library stands behind the wall of another folder (scripts/write-lint-config.mjs).';

/** The seam for background tasks imports nothing: settings may name it. */
const SEAM = '!**/tasks/task-backend.js';

function folderRule(folder, forbiddenFolders) {
  const walls = PACKAGE_WALLS.filter(({ folders }) => !folders.includes(folder)).map(
    ({ group, typesOnly }) => ({
      group,
      message: WALL,
      ...(typesOnly && { allowTypeImports: true }),
    }),
  );
  const folders = forbiddenFolders.map((name) => `**/${name}/**`);
  const path =
    folders.length === 0
      ? []
      : [
          {
            group: folder === 'options' ? [...folders, SEAM] : folders,
            message: 'Imports follow the path of a call, one way (scripts/write-lint-config.mjs).',
          },
        ];
  return { 'no-restricted-imports': ['error', { patterns: [...walls, ...path] }] };
}

function withoutV1(folder, forbiddenFolders) {
  const { 'no-restricted-imports': rule } = folderRule(folder, [...forbiddenFolders, 'sdk-v1', 'testing']);
  const [level, { patterns }] = rule;
  const group = ['@modelcontextprotocol/sdk', '@modelcontextprotocol/sdk/**'];
  return { 'no-restricted-imports': [level, { patterns: [...patterns, { group, message: WALL }] }] };
}

/** A package that builds commands has to do with nothing else: no server, no processes. */
function onlyPackages(names) {
  const allowed = ['./*', 'node:module', 'commander', ...names];
  const patterns = [{ group: ['*', '@*/*', '**/*', ...allowed.map((name) => `!${name}`)], message: WALL }];
  // Its copy of commander is the user's: the program brings it.
  const paths = [{ name: 'commander', message: WALL, allowTypeImports: true }];
  return { 'no-restricted-imports': ['error', { paths, patterns }] };
}

const overrides = [
  ...PATH.map((folder, index) => ({
    files: [`${SOURCE}/${folder}/**`],
    rules: folderRule(folder, [...PATH.slice(0, index), 'testing']),
  })),
  ...GROUND.map((folder) => ({
    files: [`${SOURCE}/${folder}/**`],
    rules: folderRule(folder, [...PATH, 'testing']),
  })),
  // An optional peer, loaded by nobody but the entry that is named after it.
  { files: [`${SOURCE}/serving/**`], rules: withoutV1('serving', PATH.slice(0, PATH.indexOf('serving'))) },
  {
    files: [`${SOURCE}/serving/sdk-v1/**`],
    rules: folderRule('serving', ['command-line', 'start', 'testing']),
  },
  { files: [`${SOURCE}/testing/**`], rules: folderRule('testing', []) },
  { files: [`${SOURCE}/*.ts`], rules: folderRule('', ['testing']) },
  {
    files: [`${CLASS_COMMANDS}/**`],
    rules: onlyPackages(['@mcpify/markers']),
  },
  {
    files: ['test/**', 'bench/**', 'scripts/**'],
    rules: { 'max-lines': 'off', 'max-lines-per-function': 'off', 'no-console': 'off' },
  },
];

const config = {
  $schema: './node_modules/oxlint/configuration_schema.json',
  plugins: ['typescript', 'import', 'unicorn', 'promise', 'node'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'import/no-unassigned-import': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-named-as-default': 'off',
    'typescript/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    'typescript/no-explicit-any': 'error',
    'max-lines': ['warn', { max: 300, skipBlankLines: false, skipComments: false }],
    'max-lines-per-function': ['warn', { max: 60 }],
    eqeqeq: ['error', 'always'],
    'no-var': 'error',
    'prefer-const': 'error',
    'no-shadow': 'off',
    'no-control-regex': 'off',
    'promise/always-return': 'off',
    'unicorn/prefer-add-event-listener': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'no-underscore-dangle': 'off',
    'no-await-in-loop': 'off',
    'no-new': 'off',
    'promise/no-callback-in-promise': 'off',
    'unicorn/no-array-sort': 'off',
    'no-empty-function': 'off',
    'typescript/no-extraneous-class': 'off',
  },
  overrides: [
    ...overrides,
    { files: ['vitest*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    { files: ['test/**'], rules: { 'typescript/no-explicit-any': 'off' } },
  ],
  ignorePatterns: ['**/dist/**', '**/node_modules/**'],
};

const file = new URL('../.oxlintrc.json', import.meta.url);
const text = `${JSON.stringify(config, null, 2)}\n`;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('.oxlintrc.json is not what scripts/write-lint-config.mjs writes: run it.');
  process.exitCode = 1;
}
