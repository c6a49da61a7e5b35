import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, describe, expect, test } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../examples/build/', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'mcpify-build-'));

afterAll(() => rmSync(place, { recursive: true }));

/** Runs the built CLI in the example's folder. */
function builder(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const node = process.env['MCPIFY_TEST_NODE'] ?? process.execPath;
  const options = { cwd: FOLDER, env: { ...process.env, ...environment } };
  return new Promise((resolve) => {
    execFile(node, ['dist/main.js', ...args], options, (error, stdout, stderr) => {
      resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

describe('cf', () => {
  const file = join(place, 'shop.cf');

  test('compile checks every module and packs them; diff finds no difference to the folder', async () => {
    expect(await builder(['cf', 'compile', 'samples/shop', file, '--jobs', '1'])).toEqual({
      exitCode: 0,
      stdout: `[1/3] catalogs/goods.js\n[2/3] documents/order.js\n[3/3] reports/sales.js\n${file}: 3 modules\n`,
      stderr: '',
    });
    expect(await builder(['cf', 'diff', file, 'samples/shop'])).toEqual({
      exitCode: 0,
      stdout: 'no differences\n',
      stderr: '',
    });
  });

  test('diff: exit code 1 and a line for each module that differs', async () => {
    expect(await builder(['cf', 'diff', 'samples/shop', 'samples/shop-next'])).toEqual({
      exitCode: 1,
      stdout: '~ catalogs/goods.js\n+ documents/invoice.js\n- reports/sales.js\n',
      stderr: '',
    });
  });

  test('a module with a mistake: nothing is written', async () => {
    const source = mkdtempSync(join(place, 'source-'));
    writeFileSync(join(source, 'good.js'), 'exports.one = 1;\n');
    writeFileSync(join(source, 'wrong.js'), 'exports.two = = 2;\n');
    const output = join(place, 'wrong.cf');
    const { exitCode, stderr } = await builder(['cf', 'compile', source, output]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: "error: not compiled\nwrong.js: SyntaxError: Unexpected token '='\n",
    });
    expect(() => readFileSync(output)).toThrow(/ENOENT/);
  });

  test.each([
    ['a folder without modules', ['cf', 'compile', '../publish-gate/samples', 'x.cf'], /no modules/],
    ['a source that is a file', ['cf', 'compile', 'package.json', 'x.cf'], /is no folder/],
    [
      'a file that is no configuration',
      ['cf', 'diff', 'package.json', 'samples/shop'],
      /is no configuration file/,
    ],
    ['jobs out of bounds', ['cf', 'compile', 'samples/shop', 'x.cf', '--jobs', '0'], /integer from 1 to 64/],
  ])('%s is refused', async (_, args, message) => {
    const { exitCode, stderr } = await builder(args);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(message);
  });
});

describe('infobase', () => {
  const connection = join(place, 'infobase');
  const signedIn = ['--connection', connection, '--user', 'admin'];
  const environment = { BUILDER_PASSWORD: 'correct horse' };

  test('created once, restored, dumped and listed by whoever may sign in', async () => {
    const file = join(place, 'restored.cf');
    await builder(['cf', 'compile', 'samples/shop', file]);
    expect(await builder(['infobase', 'create', ...signedIn], environment)).toMatchObject({ exitCode: 0 });
    expect((await builder(['infobase', 'create', ...signedIn], environment)).stderr).toMatch(
      /holds an infobase/,
    );
    expect(await builder(['infobase', 'restore', file, ...signedIn], environment)).toMatchObject({
      stdout: `${connection}: 3 modules restored\n`,
    });
    expect(await builder(['infobase', 'extensions', 'list', ...signedIn], environment)).toMatchObject({
      stdout: 'no extensions\n',
    });
    await builder(['infobase', 'extensions', 'add', 'loyalty', '1.0', ...signedIn], environment);
    await builder(['infobase', 'extensions', 'add', 'loyalty', '1.1', ...signedIn], environment);
    expect(await builder(['infobase', 'extensions', 'list', ...signedIn], environment)).toMatchObject({
      stdout: 'loyalty 1.1\n',
    });
    const dumped = join(place, 'dumped.cf');
    await builder(['infobase', 'dump', dumped, ...signedIn], environment);
    expect(await builder(['cf', 'diff', file, dumped])).toMatchObject({ stdout: 'no differences\n' });
  });

  test('a wrong password opens nothing, and no password is stored', async () => {
    const { exitCode, stderr } = await builder([
      'infobase',
      'extensions',
      'list',
      ...signedIn,
      '--password',
      'wrong',
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'error: user or password is wrong\n' });
    expect(readFileSync(join(connection, 'infobase.json'), 'utf8')).not.toContain('correct horse');
  });

  test('no infobase, no answer', async () => {
    const { exitCode, stderr } = await builder(['infobase', 'extensions', 'list', '--connection', place]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: `error: no infobase in ${place}\n` });
  });
});
