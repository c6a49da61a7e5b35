import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { call, serve, type Serving } from './kind-server.js';

/* K19: clients start servers with next to nothing. Commands run in it, here and as children, or say what is missing. */

const NODE = realpathSync(process.env['MCPIFY_TEST_NODE'] ?? process.execPath);

let folder = '';

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcpify-kinds-')));
  mkdirSync(join(folder, 'old'));
  // An old Node that understands nothing.
  writeFileSync(join(folder, 'old/node'), '#!/bin/sh\necho "SyntaxError: Unexpected token" >&2\nexit 1\n');
  chmodSync(join(folder, 'old/node'), 0o755);
  writeFileSync(join(folder, 'loader.mjs'), 'globalThis.loadedBefore = true;');
});
afterAll(() => rmSync(folder, { recursive: true }));

const NOTHING = { PATH: undefined, HOME: undefined, TMPDIR: undefined, LANG: undefined };

const CASES: readonly (readonly [what: string, env: Record<string, string | undefined>])[] = [
  ['no variable at all (F124)', NOTHING],
  ['a PATH of empty and relative folders, without Node (F120)', { PATH: ':.:/usr/sbin:/no/such/folder:' }],
  [
    'folders that are not there, a C locale, odd names and values',
    { HOME: '/no/such/home', TMPDIR: '/no/such/tmp', XDG_STATE_HOME: '/no/such/state', LANG: 'C', LC_ALL: 'C', 'npm_config_@scope:registry': 'x', A_B: 'a\nb', EMPTY: '' },
  ],
  ['variables of other programs', { NODE_ENV: 'production', npm_config_user_agent: 'npm', ELECTRON_RUN_AS_NODE: '1', NODE_CHANNEL_FD: '99' }],
]; // prettier-ignore

const start = (env: Serving['env'], more: Serving = {}) => serve('argv.mjs', { cwd: folder, ...more, env });

describe.concurrent.each(CASES)('%s', (_, env) => {
  test('a command finds Node and its working directory, here and in a child', async () => {
    const server = await start(env);
    for (const tool of ['surroundings', 'surroundings_as_child']) {
      const { text, isError } = await call(server, tool);
      expect(isError, text).toBe(false);
      const found = JSON.parse(text);
      expect(found).toMatchObject({ cwd: folder, execPath: NODE });
      expect(realpathSync(found.node)).toBe(NODE);
    }
    expect(JSON.parse((await call(server, 'child', { text: 'é漢😀' })).text).text).toBe('é漢😀');
    expect(await server.endInput()).toEqual({ exitCode: 0, signal: null });
    expect(server.stderr).toBe('');
  });
});

test('an old Node that is first in PATH runs nothing, and loaders of the server load children, too (F121)', async () => {
  const server = await start(
    { PATH: `${join(folder, 'old')}:/usr/bin:/bin` },
    { nodeArgs: ['--import', join(folder, 'loader.mjs')] },
  );
  for (const tool of ['surroundings', 'surroundings_as_child']) {
    const found = JSON.parse((await call(server, tool)).text);
    expect(realpathSync(found.node)).toBe(NODE);
    expect(found.loaded).toBe(true);
  }
});

test('the working directory is the root of the file system: the CLI is found, and a setting says where to work (F122)', async () => {
  const server = await serve('argv.mjs', { cwd: '/', env: {}, settings: { cwd: folder } });
  for (const tool of ['surroundings', 'surroundings_as_child']) {
    rmSync(join(folder, 'out'), { recursive: true, force: true });
    expect(JSON.parse((await call(server, tool)).text).cwd).toBe(folder);
    expect(readFileSync(join(folder, 'out/file.txt'), 'utf8')).toBe('written');
  }
});

test('a folder that a relative path leads into is told where it does not exist', async () => {
  const server = await serve('argv.mjs', { cwd: '/proc', env: {} });
  for (const tool of ['surroundings', 'surroundings_as_child']) {
    const { text, isError } = await call(server, tool);
    expect(isError).toBe(true);
    expect(text).toMatch(/ENOENT[^]*out/);
  }
});
