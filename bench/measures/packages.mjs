import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Server } from '../driver.mjs';
import { OURS } from '../sides.mjs';

const RECORDER = fileURLToPath(new URL('../record-modules.mjs', import.meta.url));
const REPOSITORY = realpathSync(fileURLToPath(new URL('../..', import.meta.url)));

/** Packages that are loaded before the first call, and what an installation holds. */
export async function measurePackages(report, { node }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcpify-bench-'));
  try {
    const files = await loadedFiles(node, join(folder, 'modules.json'));
    const names = files.map(packageOf).filter((name) => name !== undefined);
    report.addAbsolute('packages loaded before the first call', [new Set(names).size], {
      must: 6,
      strive: 5,
    });
    report.addAbsolute('modules of mcpify loaded before the first call', [
      names.filter((name) => name === 'mcpify').length,
    ]);
    const { packages, sizeBytes } = install(folder);
    report.addAbsolute('packages installed with mcpify and commander', [packages]);
    report.addAbsolute('the same, MiB', [sizeBytes / 2 ** 20]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function loadedFiles(node, file) {
  const server = new Server(OURS, {
    node,
    nodeArgs: ['--import', RECORDER],
    env: { BENCH_MODULES: file },
    preset: true,
  });
  await server.connect();
  await server.stop();
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The package that a module belongs to; undefined for Node's own and for those of the bench. */
function packageOf(url) {
  if (url.startsWith('node:') || url.startsWith('data:')) return undefined;
  const installed = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  const ours = /\/packages\/([^/]+)\//.exec(url)?.[1];
  return installed ?? (ours === 'markers' ? '@mcpify/markers' : ours);
}

/** Installs the packed packages as a user would: no development packages, no workspace. */
function install(folder) {
  const run = (command, args, cwd) => execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const name of ['markers', 'mcpify']) {
    run('pnpm', ['pack', '--pack-destination', folder], join(REPOSITORY, 'packages', name));
  }
  const tarballs = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  const packed = tarballs.map((file) => `./${file}`);
  run('npm', ['install', '--no-audit', '--no-fund', '--omit=optional', ...packed, 'commander@14'], folder);
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  return { packages: Object.keys(lock.packages).length, sizeBytes: sizeOf(join(folder, 'node_modules')) };
}

function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + readFileSync(join(entry.parentPath ?? entry.path, entry.name)).length, 0);
}
