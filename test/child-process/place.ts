import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test as base, vi } from 'vitest';

import { identify } from '../../packages/mcpify/src/child-process/process-identity.js';
import {
  TREE_TOKEN_VARIABLE,
  type ProcessTree,
} from '../../packages/mcpify/src/child-process/process-tree.js';

export const NODE = process.env['MCPIFY_TEST_NODE'] ?? process.execPath;
const FIXTURES = fileURLToPath(new URL('fixtures/', import.meta.url));

/** What the scripts name `$node` and `$fixtures`, and how they start a background process that keeps nothing. */
const NAMES = { node: NODE, fixtures: FIXTURES };

type PlaceOptions = SpawnOptions & { readonly logPath?: string };

export type Run = ProcessTree & { readonly root: NonNullable<ProcessTree['root']>; readonly logPath: string };

/**
 * A folder that processes are started in. It is also how they are found again, by other means than the code under
 * test: no process of a test ever leaves its working directory, whatever else it gives up.
 */
export class Place {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcpify-tree-')));

  /** Runs a shell script as a task is run: a group of its own, a token, output to the end of a log. */
  run(script: string, { logPath, ...options }: PlaceOptions = {}): Run {
    const token = randomUUID();
    const log = logPath ?? join(this.folder, `log-${token}`);
    const child = this.spawn('sh', ['-c', script], {
      detached: true,
      logPath: log,
      ...options,
      env: { ...process.env, ...NAMES, [TREE_TOKEN_VARIABLE]: token },
    });
    return { root: identify(child.pid!)!, token, logPath: log, isWatched: true };
  }

  /** Runs a program that is of no tree, or of one that the caller makes. */
  spawn(file: string, args: readonly string[], { logPath, ...options }: PlaceOptions = {}): ChildProcess {
    const log = openSync(logPath ?? '/dev/null', 'a');
    const child = spawn(file, args, { stdio: ['ignore', log, log], ...options, cwd: this.folder });
    closeSync(log);
    return child;
  }

  /** Processes that live in the folder. */
  living(): number[] {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && this.isHere(pid));
  }

  /** Resolves once so many live in the folder, and have said that they are ready where they say it. */
  async untilLiving(count: number, readyFile?: string): Promise<void> {
    await until(() => expect(this.living()).toHaveLength(count));
    if (readyFile !== undefined) await until(() => expect(this.has(readyFile)).toBe(true));
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Resolves once so many `sleep` live in the folder: each has come to where its script has put it. */
  async untilSleeping(count: number): Promise<void> {
    await until(() => expect(this.living().filter(isSleep)).toHaveLength(count));
  }

  has(file: string): boolean {
    return existsSync(join(this.folder, file));
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  /** Kills whoever is left, and whoever they start meanwhile. */
  async clear(): Promise<void> {
    await until(() => {
      for (const pid of this.living()) killIfThere(pid);
      expect(this.living()).toEqual([]);
    });
    rmSync(this.folder, { recursive: true });
  }

  private isHere(pid: number): boolean {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === this.folder;
    } catch {
      return false;
    }
  }
}

/** Ends a tree from another process, of another user if wanted. */
export async function endElsewhere(place: Place, tree: ProcessTree, uid?: number): Promise<EndElsewhere> {
  const args = [join(FIXTURES, 'ends-tree.mjs'), String(uid ?? ''), JSON.stringify(tree)];
  return readEnd(place.spawn(NODE, args, { stdio: ['ignore', 'ignore', 'pipe'] }));
}

export async function endOutOfDescriptors(place: Place, tree: ProcessTree): Promise<EndElsewhere> {
  const fixture = join(FIXTURES, 'ends-tree-out-of-descriptors.mjs');
  const script = 'ulimit -n 64; exec "$@"';
  const args = ['-c', script, 'sh', NODE, fixture, JSON.stringify(tree)];
  return readEnd(place.spawn('sh', args, { stdio: ['ignore', 'ignore', 'pipe'] }));
}

interface EndElsewhere {
  /** Their process numbers. */
  readonly survivors: readonly number[];
  readonly forced: boolean;
}

async function readEnd(child: ChildProcess): Promise<EndElsewhere> {
  let text = '';
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  return JSON.parse(text) as EndElsewhere;
}

/** Polls: what a foreign process does gives no event. */
export function until(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 15_000, interval: 15 });
}

export function stateLetter(pid: number): string | undefined {
  try {
    return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

function isSleep(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n';
  } catch {
    return false;
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was quicker.
  }
}

/** Each test has a place, and nothing lives in it when the test is over, however it ended. */
export const test = base.extend<{ place: Place }>({
  place: async ({ task: _task }, use) => {
    const place = new Place();
    try {
      await use(place);
    } finally {
      await place.clear();
    }
  },
});
