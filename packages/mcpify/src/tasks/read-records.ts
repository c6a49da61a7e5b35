import { lstat, readFile, stat } from 'node:fs/promises';

import type { TaskFolder } from './task-folder.js';
import type {
  AdopterRecord,
  ChildRecord,
  EndIntent,
  ExitRecord,
  RunClaim,
  TaskRecord,
} from './task-records.js';

/** All that the folder of a task tells. */
export interface TaskRecords {
  readonly task: TaskRecord;
  readonly claim?: RunClaim | 'damaged' | undefined;
  readonly child?: ChildRecord | undefined;
  readonly intent?: EndIntent | undefined;
  readonly exit?: ExitRecord | undefined;
}

/**
 * Reads a task's records. Where it has ended, the others are left out.
 *
 * @returns undefined where there is no such task
 * @throws where the system cannot read just now: any answer would be a guess
 */
export async function readRecords(folder: TaskFolder): Promise<TaskRecords | undefined> {
  const task = await readRecord(folder.meta, isTaskRecord, undefined);
  if (!task) return undefined;
  const exit = await readExit(folder);
  if (exit) return { task, exit };
  const [claim, child, intent] = await Promise.all([
    readRecord<RunClaim | 'damaged'>(folder.run, isRunClaim, 'damaged'),
    // One that is damaged tells nothing; the other marks of its tree are left.
    readRecord<ChildRecord | undefined>(folder.child, isChildRecord, undefined),
    readIntent(folder),
  ]);
  return { task, claim, child, intent };
}

export function readExit(folder: TaskFolder): Promise<ExitRecord | undefined> {
  return readRecord(folder.exit, isExitRecord, DAMAGED_EXIT);
}

export function readIntent(folder: TaskFolder): Promise<EndIntent | undefined> {
  return readRecord(folder.cancel, isEndIntent, DAMAGED_INTENT);
}

export async function readAdopter(folder: TaskFolder): Promise<AdopterRecord | undefined> {
  return readRecord<AdopterRecord | undefined>(folder.adopter, ({ server }) => isIdentity(server), undefined);
}

/*
 * Records come into being whole, so a damaged one was damaged by somebody else. It still says that something was
 * written: no second one may take its place.
 */
const UNKNOWN_TIME = new Date(0).toISOString();
const DAMAGED_INTENT: EndIntent = { kind: 'cancel', at: UNKNOWN_TIME };
const DAMAGED_EXIT: ExitRecord = {
  status: 'failed',
  reason: 'lost',
  message: 'The record of how it ended is damaged.',
  evidence: 'none',
  endedAt: UNKNOWN_TIME,
};

async function readRecord<Record>(
  path: string,
  isWhole: (fields: Fields) => boolean,
  ifDamaged: Record,
): Promise<Record | undefined> {
  const text = await readText(path);
  if (text === undefined || (text === '' && (await isBeingWritten(path)))) return undefined;
  const fields = parse(text);
  return fields && isWhole(fields) ? (fields as Record) : ifDamaged;
}

/** Where there are no hard links a record has its name a moment before its text (write-record.ts). */
const WRITING_MS = 2_000;

async function isBeingWritten(path: string): Promise<boolean> {
  const status = await stat(path).catch(() => undefined);
  return status !== undefined && Math.abs(Date.now() - status.mtimeMs) < WRITING_MS;
}

type Fields = { readonly [name: string]: unknown };

/** A folder, or a link to nowhere or in a circle, in place of a record. */
const NO_RECORD = '-';

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return (await isLink(path)) ? NO_RECORD : undefined;
    if (code === 'ENOTDIR') return undefined;
    if (code === 'EISDIR' || code === 'ELOOP') return NO_RECORD;
    throw error;
  }
}

/** Nobody can write a record of that name any more. */
async function isLink(path: string): Promise<boolean> {
  const status = await lstat(path).catch(() => undefined);
  return status?.isSymbolicLink() === true;
}

function isTaskRecord({ taskId, spec, token, createdAt }: Fields): boolean {
  const { commandPath, exitCodes } = fieldsOf(spec) ?? {};
  return isText(taskId) && isText(token) && isText(createdAt) && isList(commandPath) && isList(exitCodes);
}

function isRunClaim({ kind, supervisor }: Fields): boolean {
  return kind === 'void' || (kind === 'supervisor' && isIdentity(supervisor));
}

function isChildRecord({ identity, startedAt }: Fields): boolean {
  return isText(startedAt) && isIdentity(identity);
}

function isEndIntent({ kind, at }: Fields): boolean {
  return isText(at) && ['cancel', 'timeout', 'server-gone', 'log-cap'].includes(String(kind));
}

function isExitRecord({ status, endedAt }: Fields): boolean {
  return isText(endedAt) && ['completed', 'failed', 'cancelled', 'timeout'].includes(String(status));
}

function isIdentity(value: unknown): boolean {
  const { pid, startTime } = fieldsOf(value) ?? {};
  return Number.isSafeInteger(pid) && isText(startTime);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isList(value: unknown): boolean {
  return Array.isArray(value);
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
}

function parse(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}
