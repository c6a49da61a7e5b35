import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { REPOSITORY } from '../wire/connect.js';

/** What git would commit: tracked files and new ones. */
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: REPOSITORY,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(REPOSITORY, file)) && isFile(file));
const documents = files.filter((file) => file.endsWith('.md'));
const packages = readdirSync(join(REPOSITORY, 'packages')).map((name) => `packages/${name}`);

describe('no tracked file names', () => {
  // Put together, so that this file itself names none.
  const MACHINE_FOLDERS = ['home', 'work', 'root', 'Users'].join('|');
  const REGISTRIES = ['registry', 'npm', 'registry.npmjs', 'registry.yarnpkg', 'npm.pkg.github'].join('|');

  test.each([
    ['a path of a machine', new RegExp(`(?<![\\w.:-])/(${MACHINE_FOLDERS})/[\\w.-]`)],
    ['a drive of a machine', /\b[A-Z]:\\\\?(Users|work)\b/],
    ['a host of a registry', new RegExp(`\\b(${REGISTRIES})\\.(org|com|dev|io)\\b`)],
    ['a place of tarballs', /\btarball:\s*http|"resolved":\s*"http/],
  ])('%s', (_, pattern) => {
    const found = files.flatMap((file) =>
      textOf(file)
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? `${file}:${index + 1}: ${line.trim()}` : [])),
    );
    expect(found).toEqual([]);
  });

  test.each(['pnpm-lock.yaml', '.npmrc'])('a host at all: %s', (file) => {
    expect(textOf(file)).not.toMatch(/https?:\/\//);
  });
});

test('nothing that is built or secret is tracked', () => {
  expect(files.filter((file) => /(^|\/)(dist|node_modules|\.reports)\/|\.(tgz|log|env)$/.test(file))).toEqual(
    [],
  );
});

test('the first code block of the README holds the two commands', () => {
  const block = /^```[^\n]*\n([\s\S]*?)^```/m.exec(textOf('README.md'))?.[1];
  const commands = block?.split('\n').map((line) => line.replace(/\s*#.*/, '').trim());
  expect(commands?.filter((line) => line !== '')).toEqual(['npm start', 'npm test']);
});

describe.each(documents)('%s', (document) => {
  const text = textOf(document).replaceAll(/^```[\s\S]*?^```/gm, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target));

  test('links to what is there', () => {
    const broken = links.filter((target) => {
      const [path, anchor] = target.split('#') as [string, string?];
      const file = path === '' ? document : join(dirname(document), path);
      if (!existsSync(join(REPOSITORY, file))) return true;
      return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe.each(packages)('%s', (folder) => {
  const manifest = JSON.parse(textOf(`${folder}/package.json`)) as Record<string, any>;

  test('says what npm asks for', () => {
    expect(manifest).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      description: expect.stringMatching(/\w/),
      license: 'MIT',
      type: 'module',
      engines: { node: rootManifest().engines.node },
      files: expect.arrayContaining(['dist']),
    });
    expect(manifest).not.toHaveProperty('private');
    expect(manifest).not.toHaveProperty('packageManager');
  });

  test('every entry has types and code, from one source', () => {
    expect(Object.keys(manifest['exports'])).toContain('.');
    for (const entry of Object.values<any>(manifest['exports'])) {
      // Types come first: the first condition that fits is taken.
      expect(Object.keys(entry)).toEqual(['types', 'default']);
      expect(entry.types).toBe(entry.default.replace(/\.js$/, '.d.ts'));
      const source = entry.default.replace('./dist/', `${folder}/src/`).replace(/\.js$/, '.ts');
      expect(files).toContain(source);
    }
  });

  test('the packages of this repository are asked for by caret: an exact version would give two copies', () => {
    const ours = Object.entries<string>(manifest['dependencies'] ?? {}).filter(([, range]) =>
      range.startsWith('workspace:'),
    );
    for (const [name, range] of ours) expect([name, range]).toEqual([name, 'workspace:^']);
  });
});

function rootManifest(): Record<string, any> {
  return JSON.parse(textOf('package.json')) as Record<string, any>;
}

/** The anchors of a document's headings, as code hosts make them. */
function anchorsOf(document: string): readonly string[] {
  return [...textOf(document).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );
}

function textOf(file: string): string {
  return readFileSync(join(REPOSITORY, file), 'utf8');
}

function isFile(file: string): boolean {
  return statSync(join(REPOSITORY, file)).isFile();
}
