import fs, { createReadStream, createWriteStream, fstatSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import tty from 'node:tty';

import { UsageError } from '../errors/usage-error.js';
import { hideDescriptors } from './protocol-descriptors.js';
import { relaunch, restoreCarried } from './relaunch.js';

export interface ProtocolStreams {
  readonly input: Readable;
  readonly output: Writable;
}

const PROTOCOL_FDS = 'MCPIFY_PROTOCOL_FDS';

/**
 * Gives the protocol descriptors of its own, before anything of the user's is loaded: descriptor 1 is stderr from
 * then on and descriptor 0 is empty, for children, worker threads and native code too (in-process.md, A1).
 *
 * Where they are not set yet, this process is replaced by one where they are, and the promise never resolves.
 *
 * @throws UsageError `INVALID_SETTING` where `MCPIFY_PROTOCOL_FDS` names descriptors that cannot carry the protocol
 */
export async function claimDescriptors(): Promise<ProtocolStreams> {
  const setting = process.env[PROTOCOL_FDS];
  if (setting === undefined) return relaunch(PROTOCOL_FDS);
  delete process.env[PROTOCOL_FDS];
  restoreCarried();
  const [outputFd, inputFd] = readDescriptors(setting);
  const streams = { input: openInput(inputFd), output: openOutput(outputFd) };
  hideDescriptors(outputFd, inputFd);
  // Node 20 keeps the last file status in one shared place, and its `realpath` stops at links while that status is of
  // a pipe or socket: the next import would be looked for in the wrong folder.
  statSync(process.execPath);
  return streams;
}

function readDescriptors(setting: string): readonly [output: number, input: number] {
  const match = /^(\d{1,4}),(\d{1,4})$/.exec(setting);
  const [output, input] = [Number(match?.[1]), Number(match?.[2])];
  // 0 to 2 belong to the program and its children.
  if (match && output > 2 && input > 2 && output !== input) return [output, input];
  const shown = JSON.stringify(setting.slice(0, 40));
  throw invalid(`must be two descriptors above 2, output and input, as in "3,4"; it is ${shown}`);
}

/** While the program is loaded nobody reads: the end of the input is seen only behind what was sent before it. */
const READ_AHEAD_BYTES = 1024 * 1024;

function openInput(fd: number): Readable {
  const kind = kindOf(fd);
  if (kind === 'terminal') return new tty.ReadStream(fd);
  // A socket reads without blocking; what is no socket or pipe (a file, /dev/null) is read as a file.
  return kind === 'stream'
    ? new Socket({ fd, readable: true, writable: false, readableHighWaterMark: READ_AHEAD_BYTES } as object)
    : createReadStream('', { fd, fs: ownFs });
}

function openOutput(fd: number): Writable {
  const kind = kindOf(fd);
  if (kind === 'terminal') return new tty.WriteStream(fd);
  return kind === 'stream'
    ? new Socket({ fd, readable: false, writable: true })
    : createWriteStream('', { fd, fs: ownFs });
}

/** As it is now: for everybody else these descriptors will be closed. */
const ownFs = { ...fs };

function kindOf(fd: number): 'terminal' | 'stream' | 'file' {
  try {
    const status = fstatSync(fd);
    if (tty.isatty(fd)) return 'terminal';
    if (status.isFIFO() || status.isSocket()) return 'stream';
    if (status.isFile() || status.isCharacterDevice()) return 'file';
  } catch {
    throw invalid(`names descriptor ${fd}, which is not open`);
  }
  // Where they were not set at all, Node itself has taken these numbers.
  throw invalid(`names descriptor ${fd}, which is no pipe, socket, terminal or file`);
}

function invalid(what: string): UsageError {
  return new UsageError(
    'INVALID_SETTING',
    `The environment variable ${PROTOCOL_FDS} ${what}. Leave it out, and mcpify sets the descriptors itself.`,
  );
}
