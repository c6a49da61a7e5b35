import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { REPOSITORY, startServer, textOf, type RawServer, type ServerStart } from '../wire/connect.js';
import { urlOf } from './start.js';

/* A server without any option, in projects as people have them (B10): each kind of command runs, from the right file. */

const PROGRAM = `
import { exposeAsTool, McpIsolated, McpLongRunning } from '@mcpify/markers';
import { Command } from 'commander';

export const program = new Command('till');
const act = (name) => () => console.log(JSON.stringify([name, import.meta.url, process.cwd()]));
exposeAsTool(program.command('here').action(act('here')));
exposeAsTool(program.command('apart').action(act('apart')), McpIsolated);
exposeAsTool(program.command('later').action(act('later')), McpLongRunning);
`;
const MAIN = `import { program } from './program.js';\nawait program.parseAsync();\n`;
const MCP = `import { startMcpServer } from 'mcpify';\nawait startMcpServer(() => import('./program.js'));\n`;
const STALE = `console.log('a stale build');\n`;

/** What TypeScript runners do: sources are compiled when they are loaded. */
const HOOKS = `
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from '${urlOf('node_modules/typescript/lib/typescript.js')}';

export async function resolve(specifier, context, next) {
  const source = specifier.replace(/\\.js$/, '.ts');
  const isSource = specifier.startsWith('.') && existsSync(new URL(source, context.parentURL));
  return next(isSource ? source : specifier, context);
}
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { outputText } = ts.transpileModule(readFileSync(fileURLToPath(url), 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  return { format: 'module', source: outputText, shortCircuit: true };
}
`;

let folder = '';

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mcpify-zero-')));
});
afterAll(() => rm(folder, { recursive: true }));

/** @returns the project's folder */
async function project(name: string, files: Readonly<Record<string, string | object>>): Promise<string> {
  const root = join(folder, name);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await writeFile(join(root, path), typeof text === 'string' ? text : JSON.stringify(text));
  }
  await symlink(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'), 'junction');
  return root;
}

/** Every kind of command runs the program in that file, in that folder. */
async function expectAllRun(server: RawServer, name: string, program: string, cwd: string): Promise<void> {
  const { result } = await server.initialize();
  expect(result?.['serverInfo']).toMatchObject({ name, version: '1.2.3' });
  const call = async (tool: string, toolArguments: object = {}) => {
    const { result } = await server.request('tools/call', { name: tool, arguments: toolArguments });
    return textOf(result as never);
  };
  const printed = (tool: string) => JSON.stringify([tool, `file://${program}`, cwd]);
  expect(await call('here')).toBe(`${printed('here')}\n`);
  expect(await call('apart')).toBe(`${printed('apart')}\n`);
  const taskId = /task (\w+)/.exec(await call('later'))![1]!;
  expect(await call('task_status', { taskId, waitMs: 20_000 })).toContain('completed');
  expect(await call('task_result', { taskId })).toContain(printed('later'));
  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
  expect(server.stderr).toBe('');
}

const JS = { 'main.js': MAIN, 'mcp.js': MCP, 'program.js': PROGRAM };
const under = (place: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([file, text]) => [`${place}/${file}`, text]));
const manifest = (name: string, more: object = {}) => ({ name, version: '1.2.3', type: 'module', ...more });
const BIN = { bin: { till: './dist/main.js', 'till-mcp': './dist/mcp.js' } };

/** What a desktop program gives: no folder, next to no PATH. */
const GUI: ServerStart = { cwd: '/', env: { PATH: '/usr/bin:/bin', LANG: undefined } };

test('a fresh npm project, its files side by side', async () => {
  const root = await project('fresh', { 'package.json': manifest('fresh'), ...JS });
  await expectAllRun(
    startServer(join(root, 'mcp.js'), { cwd: root }),
    'fresh',
    join(root, 'program.js'),
    root,
  );
});

test('a build, started by a desktop program', async () => {
  const root = await project('built', { 'package.json': manifest('built', BIN), ...under('dist', JS) });
  const server = startServer(join(root, 'dist/mcp.js'), GUI);
  await expectAllRun(server, 'built', join(root, 'dist/program.js'), '/');
});

test('a package of a monorepo, started from its root', async () => {
  const root = await project('mono', {
    'package.json': {
      name: 'mono',
      version: '0.0.1',
      private: true,
      workspaces: ['packages/*'],
      bin: './other.js',
    },
    'other.js': STALE,
    'packages/till/package.json': manifest('@mono/till', BIN),
    ...under('packages/till/dist', JS),
  });
  const server = startServer('packages/till/dist/mcp.js', { cwd: root });
  await expectAllRun(server, '@mono/till', join(root, 'packages/till/dist/program.js'), root);
});

// The compiler is loaded by each process.
test('sources under a loader: children run sources, too, and no stale build', async () => {
  const root = await project('sources', {
    'package.json': manifest('sources', BIN),
    ...under('dist', { 'main.js': STALE, 'mcp.js': STALE }),
    ...under('src', {
      'main.ts': MAIN,
      'mcp.ts': MCP,
      'program.ts': PROGRAM.replace('(name)', '(name: string)'),
    }),
    'hooks.mjs': HOOKS,
    'register.mjs': `import { register } from 'node:module';\nregister('./hooks.mjs', import.meta.url);\n`,
  });
  const server = startServer(join(root, 'src/mcp.ts'), {
    cwd: root,
    nodeArgs: ['--import', './register.mjs'],
    // Node 26 deprecates `register`.
    env: { NODE_NO_WARNINGS: '1' },
  });
  await expectAllRun(server, 'sources', join(root, 'src/program.ts'), root);
}, 90_000);
