import { homedir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { defaultStateDir, projectPath } from '../../../packages/mcpify/src/tasks/project-folder.js';

describe('the state directory', () => {
  const home = homedir();
  const cases: readonly [NodeJS.Platform, NodeJS.ProcessEnv, string][] = [
    ['linux', {}, join(home, '.local/state/mcpify')],
    ['linux', { XDG_STATE_HOME: '/state' }, '/state/mcpify'],
    // The XDG rules: a relative path is to be ignored.
    ['linux', { XDG_STATE_HOME: 'state' }, join(home, '.local/state/mcpify')],
    ['darwin', {}, join(home, 'Library/Application Support/mcpify')],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/mcpify'],
    ['win32', {}, join(home, 'AppData/Local/mcpify')],
  ];

  test.each(cases)('%s, %j', (platform, environment, path) => {
    expect(defaultStateDir(environment, platform)).toBe(path);
  });
});

describe('the folder of a project', () => {
  test('is one for each script, and tells people whose it is', () => {
    const path = projectPath('/srv/ann/shop/dist/main.js', '/state');
    expect(path).toMatch(/^\/state\/shop-[0-9a-f]{16}$/);
    expect(projectPath('/srv/ann/shop/dist/main.js', '/state')).toBe(path);
    expect(projectPath('/srv/bob/shop/dist/main.js', '/state')).not.toBe(path);
  });

  test.each([
    ['/dist/main.js', /^\/state\/project-/],
    ['/my shop: ü/main.js', /^\/state\/my-shop-/],
    ['/.hidden/main.js', /^\/state\/-?hidden-/],
  ])('of %s has a plain name', (entry, pattern) => {
    expect(projectPath(entry, '/state')).toMatch(pattern);
  });
});
