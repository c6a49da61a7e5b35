import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** Long behind the end of every case. Descriptor 3 ends when it is ready. */
const SLEEPER = `
  const { closeSync, writeSync } = require('fs');
  setTimeout(() => {}, 600_000);
  writeSync(1, 'pid ' + process.pid + '\\n');
  closeSync(3);`;

/**
 * Starts a process that a task leaves behind where only its first one is ended: `child`, `detached` (a session and
 * group of its own), `stubborn` (the same, ignores SIGTERM), `orphan` (its parent has ended). Resolves when it runs
 * and has written its number.
 */
export async function plantTree(kind: string): Promise<void> {
  switch (kind) {
    case 'child':
      return runNode(SLEEPER);
    case 'detached':
      return runNode(SLEEPER, { detached: true });
    case 'stubborn':
      return runNode(`process.on('SIGTERM', () => {}); ${SLEEPER}`, { detached: true });
    case 'orphan':
      return runNode(orphaning(SLEEPER));
    default:
      throw new Error(`No such tree: ${kind}`);
  }
}

/** A process that starts another one in a session of its own, and ends. */
function orphaning(code: string): string {
  const options = `{ detached: true, stdio: ['ignore', 'inherit', 'inherit', 3] }`;
  const start = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(code)}], ${options})`;
  return `${start}.once('spawn', () => process.exit());`;
}

async function runNode(code: string, options: SpawnOptions = {}): Promise<void> {
  const stdio: SpawnOptions['stdio'] = ['ignore', 'inherit', 'inherit', 'pipe'];
  const child = spawn(process.execPath, ['-e', code], { stdio, ...options });
  child.unref();
  const readiness = child.stdio[3] as Readable;
  await once(readiness.resume(), 'end');
}
