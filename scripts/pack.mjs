/*
 * Packs the packages as tarballs, for use in a project of one's own: `npm run pack:all`.
 *   node scripts/pack.mjs [FOLDER]    default: packed/ in this repository
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = ['markers', 'mcpify', 'class-commands'];

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(process.argv[2] ?? join(root, 'packed'));

mkdirSync(folder, { recursive: true });
// Of another version, they would be installed as well.
for (const file of readdirSync(folder)) if (file.endsWith('.tgz')) rmSync(join(folder, file));

const tarballs = PACKAGES.map(pack);
console.log('Packed. In the folder of your own project:\n');
console.log(`  npm install ${tarballs.slice(0, 2).map(quoted).join(' ')}\n`);
console.log('Commands written as classes need one more:\n');
console.log(`  npm install ${quoted(tarballs[2])}`);

/** @returns the path of the tarball */
function pack(name) {
  const output = execFileSync('pnpm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(root, 'packages', name),
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return resolve(join(root, 'packages', name), JSON.parse(output).filename);
}

function quoted(path) {
  return /[^\w./\\:@+-]/.test(path) ? `"${path}"` : path;
}
