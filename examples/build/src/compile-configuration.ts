import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

import { toConfiguration, type Configuration } from './configuration.js';
import { findModules } from './find-modules.js';

export interface CompileOptions {
  /** Modules checked at the same time, each by a process of its own. */
  readonly jobs: number;
  /** Pause behind each module, in milliseconds. */
  readonly pauseMs: number;
}

/**
 * Checks the syntax of every module in a folder, and prints a line for each.
 *
 * @throws Error naming the modules that have mistakes
 */
export async function compileConfiguration(source: string, options: CompileOptions): Promise<Configuration> {
  const paths = await findModules(source);
  if (paths.length === 0) throw new Error(`no modules (.js, .mjs) in ${source}`);
  const mistakes: string[] = [];
  let checked = 0;
  await inParallel(options.jobs, paths, async (path) => {
    const mistake = await findMistake(join(source, path));
    if (mistake !== undefined) mistakes.push(`${path}: ${mistake}`);
    checked += 1;
    console.log(`[${checked}/${paths.length}] ${path}${mistake === undefined ? '' : ' has a mistake'}`);
    await wait(options.pauseMs);
  });
  if (mistakes.length > 0) throw new Error(`not compiled\n${mistakes.toSorted().join('\n')}`);
  const texts = await Promise.all(paths.map((path) => readFile(join(source, path), 'utf8')));
  return toConfiguration(paths.map((path, index) => [path, texts[index] ?? '']));
}

const runFile = promisify(execFile);

/** The first line that Node's own check says of a module, or undefined. */
async function findMistake(path: string): Promise<string | undefined> {
  try {
    await runFile(process.execPath, ['--check', path]);
    return undefined;
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    return stderr?.split('\n').find((line) => /^\w*Error/.test(line)) ?? String(error);
  }
}

async function inParallel<T>(
  count: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: count }, worker));
}
