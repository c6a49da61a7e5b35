import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';

/**
 * Whether a `path` value lies in the operator's root, links resolved (decision 12), also where it does not exist
 * yet. `a/link/../b` is read both ways: as the operating system follows it, and as a program that normalizes the text
 * first.
 *
 * @param cwd folder that relative paths start from
 * @returns what is wrong, as the second half of a sentence; undefined where nothing is
 */
export function checkPath(value: string, root: string, cwd: string): string | undefined {
  if (value.includes('\0')) return 'must be a path, which holds no NUL character';
  if (/^file:/i.test(value)) return 'must be a path, not a URL';
  const outside = 'must lie in the folder that this server is limited to';
  try {
    const realRoot = followLinks(root);
    const asFollowed = isAbsolute(value) ? value : `${cwd}${sep}${value}`;
    const readings = [asFollowed, resolve(cwd, value)].map(followLinks);
    return readings.every((each) => isWithin(realRoot, each)) ? undefined : outside;
  } catch {
    // No permission to look, a circle of links, a name that is too long: nobody can say where it leads.
    return outside;
  }
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const MOST_LINKS = 40;

/** Where the operating system would arrive, part by part; a link may point to what does not exist yet. */
function followLinks(path: string): string {
  const { root } = parse(resolve(path));
  const waiting = partsOf(path.slice(parse(path).root.length));
  let links = 0;
  let current = root;
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const next = part === '..' ? dirname(current) : join(current, part);
    const target = part === '..' ? undefined : linkTarget(next);
    if (target === undefined) {
      current = next;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) throw new Error('too many links');
    if (isAbsolute(target)) current = parse(resolve(target)).root;
    waiting.unshift(...partsOf(target.slice(parse(target).root.length)));
  }
  return realName(current);
}

function partsOf(path: string): string[] {
  return path.split(sep === '\\' ? /[/\\]/ : '/').filter((part) => part !== '' && part !== '.');
}

function linkTarget(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isSymbolicLink() ? readlinkSync(path) : undefined;
}

/** As the file system writes it: letter case on macOS and Windows. */
function realName(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path === dirname(path) ? path : join(realName(dirname(path)), path.slice(dirname(path).length));
  }
}
