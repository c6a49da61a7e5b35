import { readWholeProcFile } from './read-proc-file.js';

/** Whether a process was started with this variable: what it has set since does not show. */
export function hasInEnvironment(pid: number, assignment: string): boolean {
  const environment = readWholeProcFile(`/proc/${pid}/environ`);
  return environment !== undefined && holdsEntry(environment, Buffer.from(assignment));
}

/** Entries end with NUL; a value that begins as ours, or holds ours, is another one. */
function holdsEntry(environment: Buffer, entry: Buffer): boolean {
  for (let at = environment.indexOf(entry); at !== -1; at = environment.indexOf(entry, at + 1)) {
    const end = at + entry.length;
    const isWhole = end === environment.length || environment[end] === 0;
    if (isWhole && (at === 0 || environment[at - 1] === 0)) return true;
  }
  return false;
}
