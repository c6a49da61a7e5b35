import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { REPOSITORY, startServer } from '../wire/connect.js';

/** What a user writes: plain JavaScript, nothing of this repository beside it. */
const PROGRAM = `
import { describeOption, exposeAsTool, McpReadOnly } from '@mcpify/markers';
import { Command } from 'commander';

export const program = new Command('till').version('3.1.4');
const total = program
  .command('total')
  .description('Adds prices.')
  .argument('<price...>', 'what is added', (text, sum = []) => [...sum, Number(text)])
  .option('--no-rounding', 'keeps all digits')
  .option('--token <text>', 'signs in')
  .action((prices, { rounding, token }) => {
    const sum = prices.reduce((before, price) => before + price, 0);
    console.log(rounding ? Math.round(sum) : sum);
    if (token === 'old-sesame') program.error('the token has expired', { exitCode: 4 });
  });
exposeAsTool(total, McpReadOnly);
describeOption(total, '--token', { secret: true });
`;
const MAIN = `
import { program } from './program.js';

await program.parseAsync();
`;
const MCP = `
import { startMcpServer } from 'mcpify';

await startMcpServer(() => import('./program.js'));
`;

const [nodeMajor = 0, nodeMinor = 0] = process.versions.node.split('.').map(Number);
/** Commander 15 needs Node 22.12. */
const MAJORS = nodeMajor > 22 || (nodeMajor === 22 && nodeMinor >= 12) ? [12, 13, 14, 15] : [12, 13, 14];

const folder = mkdtempSync(join(tmpdir(), 'mcpify-packed-'));
let tarballs: readonly string[];

beforeAll(() => {
  run(process.execPath, ['scripts/pack.mjs', folder], REPOSITORY);
  tarballs = readdirSync(folder)
    .filter((file) => /^mcpify-(markers-)?\d.*\.tgz$/.test(file))
    .map((file) => join(folder, file));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe.each(MAJORS)('installed by npm beside commander %i', (major) => {
  let project: string;

  beforeAll(() => {
    project = join(folder, `commander-${major}`);
    mkdirSync(join(project, 'src'), { recursive: true });
    writeFileSync(join(project, 'package.json'), '{ "name": "till", "version": "3.1.4", "type": "module" }');
    writeFileSync(join(project, 'src/program.js'), PROGRAM);
    writeFileSync(join(project, 'src/main.js'), MAIN);
    writeFileSync(join(project, 'src/mcp.js'), MCP);
    run('npm', ['install', '--no-audit', '--no-fund', ...tarballs, `commander@${major}`], project);
  });

  test('the version is the one asked for, and there is one copy of the markers', () => {
    const { packages } = JSON.parse(
      readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8'),
    ) as {
      packages: Record<string, { version: string }>;
    };
    expect(packages['node_modules/commander']?.version).toMatch(new RegExp(`^${major}\\.`));
    expect(Object.keys(packages).filter((path) => path.endsWith('@mcpify/markers'))).toHaveLength(1);
  });

  test('the CLI runs as ever', () => {
    const { stdout, status } = spawnSync(process.execPath, ['src/main.js', 'total', '1.4', '2.4'], {
      cwd: project,
      encoding: 'utf8',
    });
    expect({ stdout, status }).toEqual({ stdout: '4\n', status: 0 });
  });

  test('the CLI is a server', async () => {
    const server = startServer(join(project, 'src/mcp.js'), { cwd: project });
    const { result: hello } = await server.initialize();
    expect(hello?.['serverInfo']).toEqual({ name: 'till', version: '3.1.4' });
    const { result: list } = await server.request('tools/list');
    expect(list?.['tools']).toMatchObject([
      {
        name: 'total',
        inputSchema: {
          properties: { price: { type: 'array' }, rounding: { type: 'boolean' }, token: { type: 'string' } },
          required: ['price'],
          additionalProperties: false,
        },
        annotations: { readOnlyHint: true },
      },
    ]);
    const call = (toolArguments: object) =>
      server.request('tools/call', { name: 'total', arguments: toolArguments });
    expect((await call({ price: ['1.4', '2.4'] })).result).toMatchObject({ content: [{ text: '4\n' }] });
    expect((await call({ price: ['1.25', '2.25'], rounding: false })).result).toMatchObject({
      content: [{ text: '3.5\n' }],
    });
    const failed = await call({ price: ['1'], token: 'old-sesame' });
    expect(failed.result).toMatchObject({ isError: true });
    expect(failed.result?.['content'][0].text).toMatch(/the token has expired[\s\S]*exit code 4/);
    expect((await call({ prices: ['1'] })).result).toMatchObject({ isError: true });
    expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
    expect(server.stderr).toBe('');
  });
});

test('the program of the README, in TypeScript, without skipLibCheck', async () => {
  const project = join(folder, 'typescript');
  const sources = join(REPOSITORY, 'test/snippets/shop');
  cpSync(sources, join(project, 'src'), { recursive: true });
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    rootDir: 'src',
    outDir: 'dist',
    strict: true,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  writeFileSync(join(project, 'package.json'), '{ "name": "shop", "version": "2.0.0", "type": "module" }');
  run('npm', ['install', '--no-audit', '--no-fund', ...tarballs, 'commander@14', 'typescript@6', '@types/node@20'], project); // prettier-ignore
  run(process.execPath, ['node_modules/typescript/bin/tsc'], project);
  const server = startServer(join(project, 'dist/mcp.js'), { cwd: project });
  await server.initialize();
  const { result } = await server.request('tools/call', { name: 'stock', arguments: { article: 'pen' } });
  expect(result).toMatchObject({ content: [{ text: '3\n' }] });
  expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
});

function run(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
}
