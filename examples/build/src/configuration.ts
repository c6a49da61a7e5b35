import { createHash } from 'node:crypto';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { findModules } from './find-modules.js';

/** All modules of a configuration: a configuration file is this as JSON, compressed with gzip. */
export interface Configuration {
  readonly format: 1;
  readonly modules: Readonly<Record<string, Module>>;
}

export interface Module {
  readonly sha256: string;
  readonly text: string;
}

export function toConfiguration(modules: readonly (readonly [path: string, text: string])[]): Configuration {
  const entries = modules.map(([path, text]) => [path, { sha256: hash(text), text }] as const);
  return { format: 1, modules: Object.fromEntries(entries) };
}

/** Reads a configuration file, or the modules of a folder as they are. */
export async function readConfiguration(path: string): Promise<Configuration> {
  if ((await stat(path)).isDirectory()) {
    const paths = await findModules(path);
    const texts = await Promise.all(paths.map((each) => readFile(join(path, each), 'utf8')));
    return toConfiguration(paths.map((each, index) => [each, texts[index] ?? '']));
  }
  try {
    const content = JSON.parse(gunzipSync(await readFile(path)).toString()) as Configuration;
    if (content.format === 1) return content;
  } catch {
    // Not gzip, or not JSON: the same to whoever named the file.
  }
  throw new Error(`${path} is no configuration file`);
}

/** The file is there whole or not at all. */
export async function writeConfiguration(path: string, configuration: Configuration): Promise<void> {
  const unfinished = `${path}.${process.pid}.tmp`;
  await writeFile(unfinished, gzipSync(JSON.stringify(configuration)));
  await rename(unfinished, path);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
