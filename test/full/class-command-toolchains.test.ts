import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { REPOSITORY, startServer } from '../wire/connect.js';

/* What compiles decorators in which form, and which of them emit the types of fields (K31). */

const PROGRAM = `
import { addCommands, CliArgument, CliCommand, CliOption, CliOptions } from '@mcpify/class-commands';
import { McpReadOnly, McpTool } from '@mcpify/markers';
import { Command } from 'commander';

enum Size { Small = 'small', Large = 'large' }

class Place {
  @CliOption('--room <name>', '', { type: 'string' }) room = 'hall';
}

@McpTool
@McpReadOnly
@CliCommand({ name: 'count', description: 'Counts.' })
class Count {
  @CliArgument('<article>', '', { type: 'string' }) article!: string;
  @CliOption('--times <n>', '', { type: 'number' }) times!: number;
  @CliOption('--size <size>', '', { choices: Size }) size = Size.Small;
  @CliOption('--force') force = false;
  @CliOptions(Place) place!: Place;

  run() {
    console.log(JSON.stringify(this));
  }
}

export const program = addCommands(new Command('till'), [Count]);
`;

/** The same without decorators, for Node's own type stripping: no enum either. */
const PLAIN_PROGRAM = `
import { addCommands, CliArgument, CliCommand, CliOption, CliOptions, defineFields } from '@mcpify/class-commands';
import { exposeAsTool, McpReadOnly, McpTool } from '@mcpify/markers';
import { Command } from 'commander';

const Size = { Small: 'small', Large: 'large' } as const;

class Place {
  room = 'hall';
}
defineFields(Place, { room: CliOption('--room <name>') });

class Count {
  article!: string;
  times!: number;
  size: 'small' | 'large' = Size.Small;
  force = false;
  place!: Place;

  run() {
    console.log(JSON.stringify(this));
  }
}
CliCommand({ name: 'count', description: 'Counts.' })(Count);
defineFields(Count, {
  article: CliArgument('<article>', '', { type: 'string' }),
  times: CliOption('--times <n>', '', { type: 'number' }),
  size: CliOption('--size <size>', '', { choices: Size }),
  force: CliOption('--force'),
  place: CliOptions(Place),
});
McpTool(Count);
McpReadOnly(Count);

export const program = addCommands(new Command('till'), [Count]);
`;

/** Nothing in it says the types of fields that have no initial value. */
const UNTYPED_PROGRAM = PROGRAM.replaceAll(/, '', \{ type: '\w+' \}/g, '');

const MAIN = `import { program } from './program.js';\nawait program.parseAsync();\n`;
const MCP = `import { startMcpServer } from 'mcpify';\nawait startMcpServer(() => import('./program.js'));\n`;

const RUNNER_TEST = `
import { expect, test, vi } from 'vitest';
import { program } from './src/program.js';

test('fields', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  await program.parseAsync(['count', 'pen', '--times', '2', '--size', 'large'], { from: 'user' });
  expect(log.mock.lastCall).toEqual([
    '{"article":"pen","times":2,"size":"large","force":false,"place":{"room":"hall"}}',
  ]);
});
`;

/** What compiles \`src\` to \`out\` in a project folder, or a start of Node that needs no compiling. */
interface Toolchain {
  readonly name: string;
  readonly decorators: 'legacy' | 'standard';
  /** Whether it emits the types of fields. */
  readonly emitsTypes?: true;
  /** A script that is run in the folder. */
  readonly build?: string;
  readonly nodeArgs?: readonly string[];
  /** The folder of what is started. */
  readonly start: 'out' | 'src';
}

const eachFile = (transform: string) => `
  import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  mkdirSync('out');
  for (const name of ['program', 'main', 'mcp']) {
    const source = readFileSync('src/' + name + '.ts', 'utf8');
    writeFileSync('out/' + name + '.js', transform(source));
  }
  ${transform}`;

const tsc = (typescript: string) => `
  import { execFileSync } from 'node:child_process';
  execFileSync(process.execPath, ['../node_modules/${typescript}/bin/tsc', '-p', '.'], { stdio: 'inherit' });`;

const swc = (transform: object) =>
  eachFile(`
    import { transformSync } from '@swc/core';
    function transform(source) {
      const parser = { syntax: 'typescript', decorators: true };
      const jsc = { target: 'es2022', parser, transform: ${JSON.stringify(transform)} };
      return transformSync(source, { swcrc: false, module: { type: 'es6' }, jsc }).code;
    }`);

const esbuild = (experimentalDecorators: boolean) =>
  eachFile(`
    import { transformSync } from 'esbuild';
    function transform(source) {
      const compilerOptions = { experimentalDecorators: ${experimentalDecorators}, emitDecoratorMetadata: true };
      return transformSync(source, { loader: 'ts', target: 'es2022', tsconfigRaw: { compilerOptions } }).code;
    }`);

const TOOLCHAINS: readonly Toolchain[] = [
  ...['typescript', 'typescript7'].flatMap((typescript): Toolchain[] => [
    { name: typescript, decorators: 'legacy', emitsTypes: true, build: tsc(typescript), start: 'out' },
    { name: typescript, decorators: 'standard', build: tsc(typescript), start: 'out' },
  ]),
  {
    name: 'swc',
    decorators: 'legacy',
    emitsTypes: true,
    build: swc({ legacyDecorator: true, decoratorMetadata: true }),
    start: 'out',
  },
  { name: 'swc 2022-03', decorators: 'standard', build: swc({ decoratorVersion: '2022-03' }), start: 'out' },
  { name: 'swc 2023-11', decorators: 'standard', build: swc({ decoratorVersion: '2023-11' }), start: 'out' },
  { name: 'esbuild', decorators: 'legacy', build: esbuild(true), start: 'out' },
  { name: 'esbuild', decorators: 'standard', build: esbuild(false), start: 'out' },
  { name: 'tsx', decorators: 'legacy', nodeArgs: ['--import', 'tsx'], start: 'src' },
  { name: 'tsx', decorators: 'standard', nodeArgs: ['--import', 'tsx'], start: 'src' },
];

const node = process.env['MCPIFY_TEST_NODE'] ?? process.execPath;
const root = mkdtempSync(join(tmpdir(), 'mcpify-toolchains-'));

beforeAll(() => {
  for (const name of ['markers', 'class-commands', 'mcpify']) {
    run('pnpm', ['pack', '--pack-destination', root], join(REPOSITORY, 'packages', name));
  }
  const tarballs = readdirSync(root)
    .filter((file) => file.endsWith('.tgz'))
    .map((file) => join(root, file));
  writeFileSync(join(root, 'package.json'), '{ "name": "till", "version": "1.0.0", "type": "module" }');
  const tools = ['typescript@6', 'typescript7@npm:typescript@7', '@swc/core@1', 'esbuild@0.28', 'tsx@4'];
  const runner = ['vitest@4', 'vite@8', 'unplugin-swc'];
  run('npm', ['install', '--no-audit', '--no-fund', ...tarballs, 'commander@14', ...tools, ...runner], root);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.each(TOOLCHAINS)('$name, $decorators decorators', (toolchain) => {
  const { build, decorators, emitsTypes, nodeArgs = [], start } = toolchain;

  function project(program: string): string {
    const extension = start === 'out' ? 'js' : 'ts';
    const folder = makeProject(decorators, program);
    if (build) {
      writeFileSync(join(folder, 'build.mjs'), build);
      run(node, ['build.mjs'], folder);
    }
    return join(folder, start, `main.${extension}`);
  }

  test('types that the fields say', async () => {
    await expectTill(project(PROGRAM), nodeArgs);
  });

  test(`types that the compiler ${emitsTypes ? 'emits' : 'does not emit'}`, async () => {
    const main = project(UNTYPED_PROGRAM);
    if (emitsTypes) return expectTill(main, nodeArgs);
    const { status, stderr } = runProgram(main, nodeArgs, ['count', 'pen', '--times', '2']);
    expect(status).toBe(1);
    expect(stderr).toContain(
      'TypeError: The type of Count.article is unknown: the compiler emits no types of fields',
    );
    expect(stderr).toContain('"experimentalDecorators" and "emitDecoratorMetadata" in tsconfig.json');
    expect(stderr).toContain("CliArgument('<article>', '…', { type: 'string' })");
  });
});

describe('vitest on vite 8', () => {
  const SWC = `import swc from 'unplugin-swc';
    const transform = { decoratorVersion: '2022-03' };
    const jsc = { target: 'es2022', parser: { syntax: 'typescript', decorators: true }, transform };
    export default { plugins: [swc.vite({ swcrc: false, tsconfigFile: false, jsc })] };`;

  test.each([
    ['legacy, types of the fields', 'legacy', PROGRAM, ''],
    ['legacy, types of the compiler', 'legacy', UNTYPED_PROGRAM, ''],
    ['standard, through unplugin-swc', 'standard', PROGRAM, SWC],
  ] as const)('%s', (_, decorators, program, config) => {
    const folder = makeProject(decorators, program);
    writeFileSync(join(folder, 'till.test.ts'), RUNNER_TEST);
    writeFileSync(join(folder, 'vite.config.mjs'), config || 'export default {};');
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const { status, stdout, stderr } = spawnSync(node, [vitest, 'run', '--root', folder], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], CI: '1', NO_COLOR: '1' },
    });
    expect(`${stdout}\n${stderr}`).toMatch(/Tests +1 passed \(1\)/);
    expect(status).toBe(0);
  });
});

const [major = 0] = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' })
  .split('.')
  .map(Number);

test.skipIf(major < 24)("Node's own type stripping, without decorators", async () => {
  const folder = makeProject('standard', PLAIN_PROGRAM);
  for (const [name, source] of Object.entries({ main: MAIN, mcp: MCP })) {
    writeFileSync(join(folder, 'src', `${name}.ts`), source.replace('./program.js', './program.ts'));
  }
  await expectTill(join(folder, 'src/main.ts'), []);
});

test('one file with everything in it', () => {
  const folder = makeProject('standard', PROGRAM);
  const bundle = `import { buildSync } from 'esbuild';
    buildSync({ entryPoints: ['src/main.ts'], outfile: 'out/main.js', bundle: true, platform: 'node',
      format: 'esm', target: 'es2022', banner: { js: 'import { createRequire as make } from "node:module"; var require = make(import.meta.url);' } });`;
  writeFileSync(join(folder, 'build.mjs'), bundle);
  run(node, ['build.mjs'], folder);
  const alone = mkdtempSync(join(tmpdir(), 'mcpify-bundle-'));
  try {
    writeFileSync(join(alone, 'package.json'), '{ "type": "module" }');
    copyFileSync(join(folder, 'out/main.js'), join(alone, 'main.js'));
    expect(runProgram(join(alone, 'main.js'), [], COMMAND_LINE).stdout).toBe(OUTPUT);
  } finally {
    rmSync(alone, { recursive: true });
  }
});

const COMMAND_LINE = ['count', 'pen', '--times', '2', '--size', 'large', '--force'];
const OUTPUT = '{"article":"pen","times":2,"size":"large","force":true,"place":{"room":"hall"}}\n';

/** The program as a CLI, and as a server. */
async function expectTill(main: string, nodeArgs: readonly string[]): Promise<void> {
  expect(runProgram(main, nodeArgs, COMMAND_LINE)).toEqual({ status: 0, stdout: OUTPUT, stderr: '' });
  const folder = dirname(main);
  const server = startServer(main.replace('main.', 'mcp.'), { cwd: folder, nodeArgs });
  await server.initialize();
  const { result } = await server.request('tools/list');
  const tools = result?.['tools'] as { readonly name: string }[];
  expect(tools.map(({ name }) => name)).toEqual(['count', 'cache_show', 'cache_clear']);
  expect(tools[0]).toMatchObject({
    annotations: { readOnlyHint: true },
    inputSchema: {
      properties: {
        article: { type: 'string' },
        times: { type: 'number' },
        size: { enum: ['small', 'large'], default: 'small' },
        force: { type: 'boolean' },
        room: { type: 'string', default: 'hall' },
      },
      required: ['article'],
    },
  });
  const answer = await server.request('tools/call', {
    name: 'count',
    arguments: { article: 'pen', times: 2, size: 'large', force: true },
  });
  expect(answer.result?.['content'][0].text).toBe(OUTPUT);
  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
}

function runProgram(main: string, nodeArgs: readonly string[], args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(node, [...nodeArgs, main, ...args], {
    cwd: dirname(main),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function makeProject(decorators: 'legacy' | 'standard', program: string): string {
  const folder = mkdtempSync(join(root, 'project-'));
  mkdirSync(join(folder, 'src'));
  const compilerOptions = {
    target: 'ES2022',
    module: 'NodeNext',
    rootDir: 'src',
    outDir: 'out',
    strict: true,
    skipLibCheck: true,
    types: [],
    lib: ['ES2023', 'DOM'],
    ...(decorators === 'legacy' && { experimentalDecorators: true, emitDecoratorMetadata: true }),
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src', '*.ts'] }));
  writeFileSync(join(folder, 'package.json'), '{ "name": "till", "version": "1.0.0", "type": "module" }');
  for (const [name, source] of Object.entries({ program, main: MAIN, mcp: MCP })) {
    writeFileSync(join(folder, 'src', `${name}.ts`), source);
  }
  return folder;
}

function run(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
}
