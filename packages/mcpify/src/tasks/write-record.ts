import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface Durability {
  /** It outlives a loss of power, too: some milliseconds, or many on a busy disk. @default false */
  readonly isDurable?: boolean;
}

/**
 * Writes a record that nobody may write a second time. Nobody ever reads a part of it, and of many writers at once one
 * alone is the first.
 *
 * @returns whether this one was
 */
export async function writeOnce(
  path: string,
  record: object,
  { isDurable = false }: Durability = {},
): Promise<boolean> {
  const unfinished = await writeBeside(path, JSON.stringify(record), isDurable);
  return publish(unfinished, path, { isDurable });
}

/** Gives a finished file its name, unless another has it. The other name is gone afterwards. */
export async function publish(
  unfinished: string,
  path: string,
  { isDurable = false }: Durability = {},
): Promise<boolean> {
  try {
    const isFirst = await linkOnce(unfinished, path);
    if (isFirst && isDurable) await sync(dirname(path));
    return isFirst;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Writes a file that has but one writer. Nobody ever reads a part of it. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const finish = await writeBehind(path, text);
  await finish();
}

/** The same in two steps: the second gives it its name. */
export async function writeBehind(path: string, text: string): Promise<() => Promise<void>> {
  const unfinished = await writeBeside(path, text, false);
  return () => rename(unfinished, path);
}

/** A name that no other writer uses. */
export function unfinishedName(path: string): string {
  return `${path}.${randomBytes(8).toString('hex')}`;
}

/** Puts the text in the place of what was in a file, whatever the umask is. */
export async function writeFile(
  path: string,
  text: string,
  { flags, isDurable = false }: Durability & { readonly flags: number },
): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.truncate(Buffer.byteLength(text));
    if (isDurable) await file.sync();
  } finally {
    await file.close();
  }
}

/** So that a file, or the names in a folder, outlive a loss of power. Not every system can. */
export async function sync(path: string): Promise<void> {
  try {
    const file = await open(path, 'r');
    await file.sync().finally(() => file.close());
  } catch {
    // Windows does not open folders.
  }
}

export const NEW_FILE = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;

async function writeBeside(path: string, text: string, isDurable: boolean): Promise<string> {
  const unfinished = unfinishedName(path);
  try {
    await writeFile(unfinished, text, { flags: NEW_FILE, isDurable });
    return unfinished;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function linkOnce(unfinished: string, path: string): Promise<boolean> {
  try {
    await link(unfinished, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code !== undefined && WITHOUT_LINKS.has(code)) return renameOnce(unfinished, path);
    throw error;
  }
}

/** What a file system answers that has no hard links. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Weaker by one window: a writer that is killed between the two steps leaves an empty record. */
async function renameOnce(unfinished: string, path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await rename(unfinished, path);
  return true;
}
