// Checks the packages as npm would carry them: exports, types, files. `pnpm pack` writes what is published.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = ['markers', 'class-commands', 'mcpify'];
/** Whatever else is in a package has no business there. */
const EXPECTED_FILE = /^(package\.json|LICENSE|README\.md|src\/.+\.ts|dist\/.+\.(js|d\.ts)(\.map)?)$/;

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'mcpify-pack-'));
const isWindows = process.platform === 'win32';

try {
  const problems = PACKAGES.flatMap(check);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} catch (error) {
  // publint and attw tell on stdout what they found.
  console.error(String(error.stdout || error.message));
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

function check(name) {
  const source = join(root, 'packages', name);
  const packed = JSON.parse(run('pnpm', ['pack', '--json', '--pack-destination', folder], source));
  run(bin('publint'), ['run', packed.filename, '--strict']);
  run(bin('attw'), [packed.filename, '--profile', 'esm-only', '--no-emoji', '--format', 'ascii']);
  const files = packed.files.map(({ path }) => path);
  const problems = [
    ...files.filter((file) => !EXPECTED_FILE.test(file)).map((file) => `${file} is not to be published`),
    ...['LICENSE', ...entries(source)].filter((file) => !files.includes(file)).map((file) => `no ${file}`),
    // A file whose source is gone: left over from an earlier build.
    ...files.filter((file) => !hasSource(source, file)).map((file) => `${file} has no source`),
  ];
  console.log(`${packed.name}: ${files.length} files, publint and attw find nothing`);
  return problems.map((problem) => `${packed.name}: ${problem}`);
}

/** Every file that the package's exports name. */
function entries(source) {
  const { exports } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  return Object.values(exports)
    .flatMap((entry) => Object.values(entry))
    .map((path) => path.replace('./', ''));
}

function hasSource(source, file) {
  const stem = /^dist\/(.+?)\.(js|d\.ts)(\.map)?$/.exec(file)?.[1];
  return stem === undefined || existsSync(join(source, 'src', `${stem}.ts`));
}

function bin(name) {
  return join(root, 'node_modules', '.bin', name);
}

function run(command, args, cwd = root) {
  return execFileSync(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    shell: isWindows,
  });
}
