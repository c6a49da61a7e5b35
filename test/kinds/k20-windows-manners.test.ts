import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { findCliEntry } from '../../packages/mcpify/src/registry/find-cli-entry.js';
import { REPOSITORY, startServer } from '../wire/connect.js';
import { urlOf } from '../start/start.js';
import { call } from './kind-server.js';

/* K20: no shell and no shim in any way of starting; paths with blanks and brackets are paths. What can be seen here. */

let folder = '';

beforeAll(() => {
  folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'mcpify-kinds-'))), 'My Tools (x86) & more 100%');
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
});
afterAll(() => rmSync(join(folder, '..'), { recursive: true }));

/** A package in that folder: the CLI and its server, which runs every command as a child. */
function writePackage(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  symlinkSync(join(REPOSITORY, 'node_modules'), join(path, 'node_modules'));
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name: 'tool', type: 'module', bin: 'main.js' }));
  writeFileSync(
    join(path, 'program.js'),
    `export { program } from '${urlOf('test/kinds/fixtures/argv.mjs')}';`,
  );
  writeFileSync(join(path, 'main.js'), "import { program } from './program.js'; await program.parseAsync();");
  writeFileSync(
    join(path, 'mcp.js'),
    "import { startMcpServer } from 'mcpify'; await startMcpServer(() => import('./program.js'));",
  );
  return join(path, 'mcp.js');
}

test.concurrent.each(['blanks and (brackets), \' and "', '$HOME %PATH% ^ & | ; a#b?c', '-ünï 漢😀 end.'])(
  'a project in a folder called %j: commands and their children run (F128)',
  async (name) => {
    const server = startServer(writePackage(name), { cwd: '/' });
    await server.initialize();
    const sent = { text: 'a b', list: ['(x86)', '%PATH%'], first: '&& echo' };
    for (const tool of ['here', 'child']) {
      const { text, isError } = await call(server, tool, sent);
      expect(isError, text).toBe(false);
      expect(JSON.parse(text)).toMatchObject(sent);
    }
    expect((await call(server, 'file')).isError).toBe(false);
    expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
  },
);

describe('the script behind a shim is run by Node; a shim itself is refused (F126)', () => {
  const script = () => join(folder, 'package/dist/mcp.js');

  beforeAll(() => {
    mkdirSync(join(folder, 'package/dist'), { recursive: true });
    mkdirSync(join(folder, 'package/node_modules/.bin'), { recursive: true });
    writeFileSync(
      join(folder, 'package/package.json'),
      JSON.stringify({ name: 'tool', bin: { tool: 'dist/tool.js' } }),
    );
    for (const file of ['dist/tool.js', 'dist/mcp.js', 'dist/tool.ts'])
      writeFileSync(join(folder, 'package', file), '');
    for (const shim of ['tool', 'tool.cmd', 'tool.ps1', 'tool.bat', 'tool.exe', 'TOOL.CMD', 'tool.sh']) {
      writeFileSync(
        join(folder, 'package/node_modules/.bin', shim),
        '@node "%~dp0\\..\\..\\dist\\tool.js" %*',
      );
    }
  });

  test('without a setting the file that package.json names is taken, never what lies in .bin', () => {
    expect(findCliEntry(undefined, script(), 'tool run')).toBe(join(folder, 'package/dist/tool.js'));
  });

  test.each(['tool.cmd', 'tool.ps1', 'tool.bat', 'tool.exe', 'TOOL.CMD', 'tool.sh'])('%s', (shim) => {
    expect(() => findCliEntry(`../node_modules/.bin/${shim}`, script(), 'tool run')).toThrow(
      expect.objectContaining({
        code: 'CLI_ENTRY_NOT_FOUND',
        message: expect.stringContaining('Name the JavaScript file behind it'),
      }),
    );
  });

  test('a link in .bin is the file behind it', () => {
    symlinkSync('../../dist/tool.js', join(folder, 'package/node_modules/.bin/linked'));
    expect(findCliEntry('../node_modules/.bin/linked', script(), 'tool run')).toBe(
      join(folder, 'package/dist/tool.js'),
    );
  });
});

test('values that a Windows shell would read run no program', async () => {
  const server = startServer(writePackage('values'), { cwd: folder });
  await server.initialize();
  const values = [
    '& echo made > pwned',
    '| more',
    '%COMSPEC%',
    '^&',
    '"&echo made>pwned&"',
    '!PATH!',
    '<nul',
    '\r\necho made > pwned',
  ];
  for (const tool of ['here', 'child']) {
    const { text } = await call(server, tool, {
      text: values.join(' '),
      list: values,
      first: values[0],
      more: values,
    });
    expect(JSON.parse(text)).toMatchObject({ list: values, more: values });
  }
  expect(existsSync(join(folder, 'pwned'))).toBe(false);
});
