import { readdir, stat } from 'node:fs/promises';

/** Paths inside the folder, with `/`, in the order of the alphabet. */
export async function findModules(folder: string): Promise<readonly string[]> {
  if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is no folder`);
  const paths = await readdir(folder, { recursive: true });
  return paths
    .filter((path) => /\.m?js$/.test(path))
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();
}
