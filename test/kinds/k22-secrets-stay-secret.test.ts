import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { RawServer } from '../wire/connect.js';
import { newPath } from './job-processes.js';
import { call, list, serve } from './kind-server.js';

/* K22: a secret reaches its command and nothing else: no command line, log, file, schema or answer. */

const TOKEN = 'tok-5d41402abc4b2a76';
const PIN = 'pin-b9719d911017c592';
const WAYS = ['sign', 'sign_child', 'sign_task'] as const;

let server: RawServer;
let stateDir: string;

beforeAll(async () => {
  stateDir = newPath();
  server = await serve('jobs.mjs', { settings: { stateDir, sessionCache: 'auto' }, env: { DEBUG: '1' } });
  await server.request('logging/setLevel', { level: 'debug' });
});

const secrets = () => [TOKEN, PIN];

/** Everything that the server has said and kept so far, but for what the test itself has sent. */
function expectNothing(): void {
  for (const secret of secrets()) {
    expect(server.stderr).not.toContain(secret);
    expect(server.stdoutLines.filter((line) => line.includes(secret))).toEqual([]);
    for (const path of filesIn(stateDir)) {
      // What a command prints is its log, as on a terminal; the rest is ours.
      if (!path.endsWith('/log')) expect(readFileSync(path, 'latin1'), path).not.toContain(secret);
    }
  }
}

/** Marks of tasks that run come and go meanwhile. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

/** Calls it to the end, also where that is a task. */
async function sign(name: string, values: object): Promise<{ text: string; isError: boolean }> {
  const answer = await call(server, name, values);
  const taskId = answer.value?.taskId as string | undefined;
  if (taskId === undefined) return answer;
  const { value } = await call(server, 'task_status', { taskId, waitMs: 45_000 });
  const { text } = await call(server, 'task_result', { taskId, offsetBytes: 0 });
  return { text, isError: value.status !== 'completed' };
}

test('what a command does with it after its end is told without it', async () => {
  await call(server, 'sign_late', { pin: PIN });
  for (const told of [/warned of \*{3}/, /printed \*{3}/, /threw \*{3}/, /rejected \*{3}/])
    await server.stderrText(told);
  expectNothing();
});

describe.each(WAYS)('%s', (name) => {
  test('the command sees both, and no command line or environment of others (F134)', async () => {
    const file = newPath();
    const { text, isError } = await sign(name, { file, token: TOKEN, pin: PIN });
    expect(isError).toBe(false);
    const seen = JSON.parse(readFileSync(file, 'utf8'));
    expect(seen.options).toMatchObject({ token: TOKEN, pin: PIN });
    for (const secret of secrets()) {
      expect(seen.commandLines.join()).not.toContain(secret);
      expect(JSON.stringify(seen.env)).not.toContain(secret);
    }
    expect(text).toMatch(/signed in with \S+ and /);
    expectNothing();
  });

  test('an error of the command does not repeat it (F136)', async () => {
    const { isError } = await sign(name, { file: newPath(), token: TOKEN });
    expect(isError).toBe(true);
    expectNothing();
  });

  test('neither does a call that is refused, with the secret in the wrong place (F136)', async () => {
    const file = newPath();
    const wrong = [
      { file, token: TOKEN, pin: [PIN, PIN] },
      { file, token: { inner: TOKEN } },
      { file, token: TOKEN, pin: PIN, count: 'many' },
      { file, token: TOKEN, unknownOption: 1 },
      { token: TOKEN, nocache: true },
    ];
    for (const values of wrong) expect(await call(server, name, values)).toMatchObject({ isError: true });
    expectNothing();
  });

  test('one of several lines, such as a key, is said in none of them', async () => {
    const lines = ['-----BEGIN KEY-----', 'MC4CAQAwBQYDK2VwBCIEIGxpbmUgb25l', '-----END KEY-----'];
    const received = server.stdoutLines.length;
    for (const lineEnd of ['\n', '\r\n']) {
      const token = `${lines.join(lineEnd)}${lineEnd}`;
      const { text, isError } = await sign(name, { file: newPath(), token, pin: PIN });
      expect(isError).toBe(false);
      expect(text).toMatch(/signed in with \*\*\*/);
    }
    const said = server.stdoutLines.slice(received).join('\n');
    for (const line of lines) expect(said).not.toContain(line);
  });

  test('hidden and excluded options are not listed, and refused when sent all the same (F138)', async () => {
    const properties = (await list(server)).get(name)?.['inputSchema'].properties;
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['token', 'pin', 'count', 'file']));
    expect(properties).not.toHaveProperty('hidden');
    expect(properties).not.toHaveProperty('leftOut');
    for (const option of ['hidden', 'leftOut', 'left-out', '--hidden']) {
      const { text, isError } = await call(server, name, { file: newPath(), [option]: 'x' });
      expect(isError).toBe(true);
      expect(text).toContain(option);
    }
  });

  test('one from the environment is in no schema and no answer', async () => {
    const own = await serve('jobs.mjs', { settings: { stateDir: newPath() }, env: { JOBS_TOKEN: TOKEN } });
    const file = newPath();
    const { value } = await call(own, name, { file, pin: PIN });
    if (value) await call(own, 'task_status', { taskId: value.taskId, waitMs: 45_000 });
    expect(JSON.parse(readFileSync(file, 'utf8')).options.token).toBe(TOKEN);
    expect(JSON.stringify([...(await list(own)).values()])).not.toContain(TOKEN);
    expect(own.stdoutLines.filter((line) => line.includes(TOKEN))).toEqual([]);
    await own.close();
  });
});

describe('nothing of it is remembered', () => {
  test('cache_show has other values, and no secret', async () => {
    await call(server, 'sign', { file: newPath(), token: TOKEN, pin: PIN, count: 3 });
    const { text } = await call(server, 'cache_show');
    expect(text).toContain('count');
    for (const secret of secrets()) expect(text).not.toContain(secret);
  });
});

afterAll(() => expectNothing());
