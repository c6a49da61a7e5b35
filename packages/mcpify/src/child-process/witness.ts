import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** What a CLI's own process tells of its end: a second source, for the case that whoever watched it is gone. */
export interface Witness {
  readonly pid: number;
  readonly exitCode: number;
  /** ISO 8601. */
  readonly endedAt: string;
  /** Its arguments never arrived, so the command was not run. */
  readonly neverStarted?: true;
}

/** Writes the file in one step: nobody ever reads a part of it. */
export function writeWitness(path: string, witness: Witness): void {
  const unfinished = `${path}.${witness.pid}`;
  writeFileSync(unfinished, JSON.stringify(witness), { mode: 0o600 });
  // The umask is the command's.
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, path);
}

/** @returns undefined where there is none: a process that was killed, or called `process.abort()`, writes nothing */
export function readWitness(path: string): Witness | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Witness;
  } catch {
    return undefined;
  }
}
