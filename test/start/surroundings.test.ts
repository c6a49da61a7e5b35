import { chmod, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { REPOSITORY, startServer, type RawServer, type ServerStart } from '../wire/connect.js';
import { ENTRY, run, start, urlOf } from './start.js';

const NODE = process.env['MCPIFY_TEST_NODE'] ?? process.execPath;
const GONE = { exitCode: 0, signal: null };

let folder = '';

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mcpify-start-')));
});
afterAll(() => rm(folder, { recursive: true }));

/** Serves, runs a command, ends; and what it was told of itself. */
async function expectServed(
  server: RawServer,
  code = 'return { argv: globalThis.ofServer, cwd: process.cwd() }',
) {
  const { result } = await server.initialize();
  const { value, text, isError } = await run(server, code);
  expect(isError, text).toBe(false);
  expect(await server.endInput()).toEqual(GONE);
  expect(server.stderr).toBe('');
  return { name: result?.['serverInfo'].name as string, value };
}

/** A package of its own with the entry as its only file. */
async function writePackage(path: string, name: string): Promise<string> {
  await mkdir(join(path, 'bin'), { recursive: true });
  await symlink(join(REPOSITORY, 'node_modules'), join(path, 'node_modules'));
  await writeFile(join(path, 'package.json'), JSON.stringify({ name, type: 'module' }));
  await writeFile(
    join(path, 'bin', 'mcp.js'),
    `#!/usr/bin/env node
import { startMcpServer } from 'mcpify';
import * as program from '${urlOf('test/fixtures/start/program.mjs')}';
globalThis.ofServer = [...process.argv];
await startMcpServer(() => program);
`,
  );
  await chmod(join(path, 'bin', 'mcp.js'), 0o755);
  return join(path, 'bin', 'mcp.js');
}

describe.concurrent('the environment', () => {
  test.each<[what: string, how: ServerStart]>([
    ['without HOME', { env: { HOME: undefined } }],
    ['with an empty PATH', { env: { PATH: '' } }],
    [
      'without any variable',
      { env: { HOME: undefined, PATH: undefined, LANG: undefined, TMPDIR: undefined } },
    ],
    ['with a PATH without Node', { env: { PATH: '/usr/sbin' } }],
    ['in the root folder', { cwd: '/' }],
    ['with a HOME that is not there', { env: { HOME: '/no/such/home' } }],
  ])('%s', async (_what, how) => {
    const { value } = await expectServed(start(how));
    expect(value.cwd).toBe(how.cwd ?? REPOSITORY.replace(/\/$/, ''));
  });

  test('children of a command start with the Node of the server', async () => {
    const server = start({ env: { PATH: '/usr/sbin' } });
    const code = `return { text: require('node:child_process').execFileSync(process.execPath, ['-p', '6 * 7'], { encoding: 'utf8' }) }`;
    expect((await expectServed(server, code)).value).toEqual({ text: '42\n' });
  });

  test('a working directory that is gone is told, and can be set', async () => {
    const gone = await mkdtemp(join(folder, 'gone-'));
    const shell = (settings: object) =>
      startServer(ENTRY, {
        command: 'sh',
        nodeArgs: ['-c', 'cd "$1" && rmdir "$1" && exec "$2" "$0"'],
        args: [gone, NODE],
        env: { SETTINGS: JSON.stringify(settings) },
      });
    const refused = shell({});
    expect(await refused.exited).toEqual({ exitCode: 1, signal: null });
    expect(refused.stderr).toMatch(
      /mcpify: The working directory does not exist any more\..*"cwd".*\(INVALID_SETTING\)\n$/,
    );
    await mkdir(gone);
    const served = shell({ cwd: '/' });
    await served.initialize();
    expect((await run(served, 'return { cwd: process.cwd() }')).value).toEqual({ cwd: '/' });
  });
});

describe.concurrent('Node’s own options', () => {
  test('NODE_OPTIONS with --require and --import are in force in the server', async () => {
    await writeFile(join(folder, 'required.cjs'), 'globalThis.required = true;');
    await writeFile(join(folder, 'imported.mjs'), 'globalThis.imported = true;');
    const NODE_OPTIONS = `--require="${folder}/required.cjs" --import="${folder}/imported.mjs" --no-warnings`;
    const code =
      'return { required: globalThis.required, imported: globalThis.imported, options: process.env.NODE_OPTIONS }';
    const { value } = await expectServed(start({ env: { NODE_OPTIONS } }), code);
    expect(value).toEqual({ required: true, imported: true, options: NODE_OPTIONS });
  });

  test('loaders on the command line are', async () => {
    await writeFile(
      join(folder, 'hook.mjs'),
      `export async function resolve(specifier, context, next) {
        return specifier === 'virtual:program' ? { url: '${urlOf('test/fixtures/start/program.mjs')}', shortCircuit: true } : next(specifier, context);
      }`,
    );
    await writeFile(
      join(folder, 'register.mjs'),
      `import { register } from 'node:module'; register('./hook.mjs', import.meta.url);`,
    );
    // A path that is relative to the working directory.
    const server = start({
      nodeArgs: ['--import', './register.mjs'],
      cwd: folder,
      // Node 26 deprecates `register`.
      env: { LOAD: 'virtual:program', NODE_NO_WARNINGS: '1' },
    });
    const { value } = await expectServed(server, 'return { execArgv: process.execArgv }');
    expect(value).toEqual({ execArgv: ['--import', './register.mjs'] });
  });
});

describe.concurrent('the path of the entry', () => {
  const ODD = [
    'My Tools (x86)',
    `quotes ' " and ^`,
    '$(touch pwned) `touch pwned` ; touch pwned & | > pwned',
    'line\nbreak\ttab',
    'Grüße 世界 👋🏽 %20#?',
    '-e',
    '--',
  ];

  test.each(ODD)('%j', async (name) => {
    const home = await mkdtemp(join(folder, 'odd-'));
    const entry = await writePackage(join(home, name), 'odd');
    const args = ['$(touch pwned)', '; touch pwned', '`touch pwned`', '--x=\n"\'', ''];
    const { value, name: server } = await expectServed(startServer(entry, { cwd: home, args }));
    expect(value.argv.slice(1)).toEqual([entry, ...args]);
    expect(server).toBe('odd');
    expect(
      (await readdir(home, { recursive: false })).filter((each) => each.includes('pwned') && each !== name),
    ).toEqual([]);
  });

  test('relative to the working directory', async () => {
    await writePackage(join(folder, 'relative'), 'relative');
    const { name } = await expectServed(startServer('./bin/mcp.js', { cwd: join(folder, 'relative') }));
    expect(name).toBe('relative');
  });
});

describe.concurrent('started as a package’s command', () => {
  let entry = '';
  let bin = '';

  beforeAll(async () => {
    entry = await writePackage(join(folder, 'store', 'tool'), '@scope/tool');
    // The folder of a package that uses it, which has another name.
    bin = join(folder, 'user', 'node_modules', '.bin');
    await mkdir(bin, { recursive: true });
    await writeFile(join(folder, 'user', 'package.json'), '{ "name": "user" }');
  });

  test('a link in node_modules/.bin: the server is named after its own package', async () => {
    await symlink(entry, join(bin, 'linked'));
    const { name, value } = await expectServed(startServer(join(bin, 'linked')));
    expect(name).toBe('@scope/tool');
    expect(value.argv[1]).toBe(join(bin, 'linked'));
  });

  test('the link itself, as a program', async () => {
    await symlink(entry, join(bin, 'program'));
    const server = startServer('first argument', { command: join(bin, 'program') });
    const { name, value } = await expectServed(server);
    expect(name).toBe('@scope/tool');
    expect(value.argv[2]).toBe('first argument');
  });

  test('a shell script in its place', async () => {
    const script = `#!/bin/sh
basedir=$(dirname "$(echo "$0" | sed -e 's,\\\\,/,g')")
export NODE_PATH="$basedir/other"
exec node "$basedir/../../../store/tool/bin/mcp.js" "$@"
`;
    await writeFile(join(bin, 'shim'), script, { mode: 0o755 });
    const server = startServer('an argument', { command: join(bin, 'shim') });
    const { name, value } = await expectServed(server);
    expect(name).toBe('@scope/tool');
    expect(value.argv[2]).toBe('an argument');
  });

  test('a shell that waits for it, as package runners do', async () => {
    const server = startServer(entry, {
      command: 'sh',
      nodeArgs: ['-c', '"$1" "$0" "$2"; exit $?'],
      args: [NODE, 'last'],
    });
    const { value } = await expectServed(server);
    expect(value.argv[2]).toBe('last');
  });

  test('that shell’s signal ends the server, too', async () => {
    const server = startServer(entry, {
      command: 'sh',
      nodeArgs: ['-c', '"$1" "$0"; exit $?'],
      args: [NODE],
    });
    await server.initialize();
    server.process.kill('SIGKILL');
    // The end of stdin is all that tells it (F023).
    server.process.stdin?.destroy();
    expect(await server.exited).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });
});
