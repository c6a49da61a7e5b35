import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { toConfiguration, type Configuration } from './configuration.js';
import type { Connection } from './connection.js';

/** What the file `infobase.json` in the folder of an infobase holds. */
export interface Infobase {
  readonly users: readonly User[];
  readonly extensions: readonly Extension[];
  readonly configuration: Configuration;
}

interface User {
  readonly name: string;
  /** Hexadecimal; the password itself is never stored. */
  readonly salt: string;
  readonly hash: string;
}

interface Extension {
  readonly name: string;
  readonly version: string;
}

/** @throws Error where the folder holds an infobase already, or a user is given without a password */
export async function createInfobase(connection: Connection): Promise<void> {
  const { folder, user, password } = connection;
  if (user !== undefined && password === undefined) throw new Error('a user needs a password');
  const users = user !== undefined && password !== undefined ? [toUser(user, password)] : [];
  const content: Infobase = { users, extensions: [], configuration: toConfiguration([]) };
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(fileOf(connection), toText(content), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Error(`${folder} holds an infobase already`, { cause: error });
  }
}

/** @throws Error where there is no infobase, or the user may not sign in */
export async function openInfobase(connection: Connection): Promise<Infobase> {
  const content = await readInfobase(connection);
  if (content.users.length === 0) return content;
  const user = content.users.find(({ name }) => name === connection.user);
  if (user && isPasswordOf(user, connection.password ?? '')) return content;
  throw new Error('user or password is wrong');
}

/** The file is there whole or as it was. */
export async function saveInfobase(connection: Connection, content: Infobase): Promise<void> {
  const unfinished = `${fileOf(connection)}.${process.pid}.tmp`;
  await writeFile(unfinished, toText(content), { mode: 0o600 });
  await rename(unfinished, fileOf(connection));
}

async function readInfobase(connection: Connection): Promise<Infobase> {
  try {
    return JSON.parse(await readFile(fileOf(connection), 'utf8')) as Infobase;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(`no infobase in ${connection.folder}`, { cause: error });
  }
}

function fileOf({ folder }: Connection): string {
  return join(folder, 'infobase.json');
}

function toText(content: Infobase): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

function toUser(name: string, password: string): User {
  const salt = randomBytes(16).toString('hex');
  return { name, salt, hash: hash(password, salt).toString('hex') };
}

function isPasswordOf(user: User, password: string): boolean {
  return timingSafeEqual(hash(password, user.salt), Buffer.from(user.hash, 'hex'));
}

function hash(password: string, salt: string): Buffer {
  return scryptSync(password, salt, 32);
}
