import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, onTestFinished, test } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../examples/publish-gate/', import.meta.url));

/** Runs the built CLI in the example's folder. */
function gate(...args: readonly string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const node = process.env['MCPIFY_TEST_NODE'] ?? process.execPath;
  return new Promise((resolve) => {
    execFile(node, ['dist/main.js', ...args], { cwd: FOLDER }, (error, stdout, stderr) => {
      resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

const FACTS = ['--facts-path', 'samples/facts.md'];

test('exit code 0: the check passed', async () => {
  expect(await gate('check-numbers', '--draft-path', 'samples/draft.md', ...FACTS)).toEqual({
    exitCode: 0,
    stdout: 'PASS\n',
    stderr: '',
  });
});

test('exit code 1: it did not', async () => {
  expect(await gate('check-numbers', '--draft-path', 'samples/draft-with-mistakes.md', ...FACTS)).toEqual({
    exitCode: 1,
    stdout:
      'FAIL (3)\n' +
      'line 3: 2026-03-15 is not in the facts\n' +
      'line 3: 1.52 million is not in the facts\n' +
      'lines 5, 6: 33% is not in the facts\n',
    stderr: '',
  });
});

test.each<[string, string[], RegExp]>([
  ['no draft', ['check-numbers', ...FACTS], /no draft given: pass --draft-text or --draft-path/],
  ['no facts', ['check-numbers', '--draft-text', '1'], /no facts given: pass --facts-text or --facts-path/],
  ['two drafts', ['check-links', '--draft-text', 'a', '--draft-path', 'b'], /cannot be used with/],
  ['an empty draft', ['check-links', '--draft-text', ' \n'], /the draft is empty/],
  ['an unknown option', ['check-links', '--draft', 'a'], /unknown option '--draft'/],
  ['an unknown command', ['check'], /unknown command 'check'/],
  ['a timeout of 0', ['check-links', '--draft-text', 'a', '--timeout-ms', '0'], /integer from 1 to 600000/],
  ['a missing file', ['check-links', '--draft-path', 'no.md'], /cannot read no\.md: there is no such file/],
  ['a folder', ['check-links', '--draft-path', 'samples'], /cannot read samples: it is not a file/],
])('exit code 2, and nothing on stdout: %s', async (_what, args, message) => {
  const { exitCode, stdout, stderr } = await gate(...args);
  expect(stderr).toMatch(message);
  expect(stdout).toBe('');
  expect(exitCode).toBe(2);
});

test('a file that is not UTF-8 is not guessed at; a byte order mark is no part of the text', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'publish-gate-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const latin1 = join(folder, 'latin1.md');
  const withMark = join(folder, 'bom.md');
  await writeFile(latin1, Buffer.from('caf\xe9 5', 'latin1'));
  await writeFile(withMark, '\uFEFF1. a');

  expect(await gate('check-numbers', '--draft-path', latin1, ...FACTS)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('it is not UTF-8 text'),
  });
  expect(await gate('check-numbers', '--draft-path', withMark, '--facts-text', 'none')).toMatchObject({
    exitCode: 0,
  });
});

test('help and version are no failures', async () => {
  expect(await gate('--version')).toMatchObject({ exitCode: 0, stdout: '0.1.0\n' });
  expect(await gate('check-links', '--help')).toMatchObject({ exitCode: 0 });
});
