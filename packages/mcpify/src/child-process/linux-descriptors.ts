import { constants, readlinkSync, statSync } from 'node:fs';

import { listProcFolder, readProcFile } from './read-proc-file.js';
import type { FileIdentity } from './process-source.js';

/**
 * Whether a process holds the file open for writing at its end. A reader (`tail -f`, another server) does not count,
 * nor does whoever opened it for writing in another way than the log's own writers.
 */
export function appendsTo(pid: number, file: FileIdentity): boolean {
  return listProcFolder(`/proc/${pid}/fd`).some(
    (fd) => isAppender(pid, fd) && isFile(`/proc/${pid}/fd/${fd}`, file),
  );
}

function isAppender(pid: number, fd: string): boolean {
  // Cheaper than fdinfo, and sockets, pipes and the like are most of all descriptors.
  if (!linkOf(`/proc/${pid}/fd/${fd}`).startsWith('/')) return false;
  const flags = /^flags:\s*([0-7]+)$/m.exec(readProcFile(`/proc/${pid}/fdinfo/${fd}`) ?? '')?.[1];
  if (flags === undefined) return false;
  const mode = Number.parseInt(flags, 8);
  return (mode & constants.O_APPEND) !== 0 && (mode & (constants.O_WRONLY | constants.O_RDWR)) !== 0;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function isFile(path: string, file: FileIdentity): boolean {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return dev === file.dev && ino === file.ino;
  } catch {
    return false;
  }
}
