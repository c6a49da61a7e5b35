/*
 * `npm run test:full`: what takes many minutes, foreign packages or other versions of Node. Installs what it needs.
 *
 *   node scripts/full.mjs [RUN ...]     all runs, or those named (node-24, long, demo)
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { LONG_RUN, OTHER_MAJORS } from './full-runs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = join(root, '.reports');
const isWindows = process.platform === 'win32';

const runs = {
  ...Object.fromEntries(OTHER_MAJORS.map((major) => [`node-${major}`, () => runOnNode(major)])),
  [LONG_RUN]: runLong,
  demo: runDemo,
};
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(runs);
const unknown = names.filter((name) => !Object.hasOwn(runs, name));
if (unknown.length > 0) {
  console.error(`No such run: ${unknown.join(', ')}. Runs: ${Object.keys(runs).join(', ')}`);
  process.exit(1);
}

mkdirSync(reports, { recursive: true });
const failed = names.filter((name) => !timed(name, runs[name]));
if (failed.length > 0) console.error(`\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;

function timed(name, run) {
  console.log(`\n=== ${name}`);
  // A report of an earlier run must not stand for this one.
  rmSync(join(reports, `${name}.json`), { force: true });
  const startedAt = performance.now();
  const isRight = run();
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(`=== ${name}: ${isRight ? 'passed' : 'FAILED'} in ${seconds} s`);
  return isRight;
}

/** All tests of `npm test`, the runner itself and every server on that Node. */
function runOnNode(major) {
  const node = installNode(major);
  return node !== undefined && runVitest(`node-${major}`, node);
}

/** On the newest Node: commander 15 does not run on the oldest. */
function runLong() {
  const node = installNode(Math.max(...OTHER_MAJORS));
  return node !== undefined && runVitest(LONG_RUN, node, ['--config', 'vitest.full.config.ts']);
}

function runVitest(report, node, args = []) {
  const { status } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    cwd: root,
    env: { ...process.env, MCPIFY_TEST_NODE: node, MCPIFY_REPORT: `.reports/${report}.json` },
    stdio: 'inherit',
  });
  return status === 0;
}

function runDemo() {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/demo.mjs'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
  });
  const isRight = status === 0;
  if (!isRight) console.error(stdout, stderr);
  const counts = { numPassedTests: Number(isRight), numFailedTests: Number(!isRight), success: isRight };
  writeFileSync(join(reports, 'demo.json'), JSON.stringify(counts));
  return isRight;
}

/** The path of a Node of that major, from npm's package for this platform; undefined where it cannot be had. */
function installNode(major) {
  const platform = isWindows ? 'win' : process.platform;
  const spec = `node-${platform}-${process.arch}@${major}`;
  const args = ['-y', '-p', spec, '-c', 'node -p process.execPath'];
  // npx would take the folder's own "node" first; from elsewhere it takes the package's.
  const { status, stdout, stderr } = spawnSync('npx', args, {
    cwd: reports,
    encoding: 'utf8',
    shell: isWindows,
  });
  const path = stdout?.trim().split('\n').at(-1);
  const version = path && spawnSync(path, ['-v'], { encoding: 'utf8' }).stdout;
  if (status === 0 && version?.startsWith(`v${major}.`)) return copyForAll(path, major);
  console.error(`Cannot install ${spec}: ${stderr || `${path} is ${version}`}`);
  return undefined;
}

/** npm's cache is closed to the other users that some tests run as. */
function copyForAll(path, major) {
  const folder = join(reports, `node-${major}`);
  const copy = join(folder, isWindows ? 'node.exe' : 'node');
  mkdirSync(folder, { recursive: true });
  rmSync(copy, { force: true });
  copyFileSync(path, copy);
  chmodSync(copy, 0o755);
  return copy;
}
