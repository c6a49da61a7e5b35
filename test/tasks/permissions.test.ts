import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { describe, expect, onTestFinished } from 'vitest';

import { identify } from '../../packages/mcpify/dist/child-process/process-identity.js';
import type { RemoteBackend } from './faults/backend-process.js';
import { isAlive, kill, look } from './faults/census.js';
import { test, until, type FaultPlace } from './faults/fault-place.js';

/* Root may read and write everything: these cases prove something for another user alone. */

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** A server of a user who may do nothing but in its own folders. */
async function unprivileged(place: FaultPlace): Promise<RemoteBackend> {
  for (const folder of [place.folder, place.cwd]) chownSync(folder, NOBODY, NOBODY);
  const backend = await place.server({}, { uid: NOBODY, gid: NOBODY });
  expect(backend.server.uid).toBe(NOBODY);
  return backend;
}

async function refusal(start: Promise<unknown>): Promise<string> {
  const error = await start.then(
    () => new Error('not refused'),
    (reason: Error) => reason,
  );
  expect(error.name).toBe('TaskRefusedError');
  return error.message;
}

describe.skipIf(!isRoot)('as another user than root', () => {
  test('where the store cannot be made: a start is refused and says which setting helps; the server lives', async ({
    place,
  }) => {
    mkdirSync(`${place.folder}/roots`, { mode: 0o755 });
    place.stateDir = `${place.folder}/roots/state`;
    const server = await unprivileged(place);

    expect(await refusal(server.start(place.spec('fault-command', ['0', '0'])))).toContain('"stateDir"');

    expect(await server.list()).toEqual([]);
    expect(await server.get('t'.padEnd(33, '0'))).toBeUndefined();
  });

  test('a store that is read-only from now on still tells the ends that it holds', async ({ place }) => {
    const server = await unprivileged(place);
    const { taskId } = await server.start(place.spec('fault-command', ['3', '0']));
    const ended = await server.untilEnded(taskId);
    for (const folder of [dirname(place.file(taskId, 'exit.json')), place.project()])
      chmodSync(folder, 0o500);
    const next = await unprivileged(place);

    expect(ended).toMatchObject({ status: 'failed', exitCode: 3 });
    expect(await next.get(taskId)).toEqual(ended);
    expect(await next.list()).toEqual([ended]);
    expect(await next.cancel(taskId)).toEqual(ended);
    expect((await next.readOutput(taskId))?.text).toMatch(/^line 0\n/);
    await refusal(next.start(place.spec('fault-command', ['0', '0'])));
  });

  test('a store that is read-only for a while: the end is recorded as soon as it can be', async ({
    place,
  }) => {
    const server = await unprivileged(place);
    const { taskId } = await server.start(place.spec('fault-command', ['3', '500']));
    await until(() => readFileSync(place.file(taskId, 'child.json')));
    const folder = dirname(place.file(taskId, 'child.json'));
    chmodSync(folder, 0o500);
    await until(() => expect(place.members()).toEqual([]));

    expect((await server.get(taskId))?.status).toBe('running');
    chmodSync(folder, 0o700);

    expect(await server.untilEnded(taskId)).toMatchObject({
      status: 'failed',
      exitCode: 3,
      evidence: 'supervisor',
    });
  });

  test('records that may not be read: the other tasks are listed', async ({ place }) => {
    const server = await unprivileged(place);
    const tasks = await Promise.all(
      ['0', '3'].map((code) => server.start(place.spec('fault-command', [code, '0']))),
    );
    const [hidden, seen] = await Promise.all(tasks.map(({ taskId }) => server.untilEnded(taskId)));
    for (const name of ['meta.json', 'exit.json', 'log']) {
      chownSync(place.file(hidden!.taskId, name), 0, 0);
      const next = await unprivileged(place);

      expect(await next.list()).toContainEqual(seen);
      expect((await next.get(hidden!.taskId).catch(() => undefined))?.status).not.toBe('running');
      await next.cancel(hidden!.taskId).catch(() => {});
      await next.readOutput(hidden!.taskId).catch(() => {});
    }
  });

  test('the store of another user is refused, though its folder may be written', async ({ place }) => {
    mkdirSync(place.stateDir, { mode: 0o777 });
    chmodSync(place.stateDir, 0o777);
    const roots = await place.server();
    const { taskId } = await roots.start(place.spec('fault-command', ['0', '0']));
    await roots.untilEnded(taskId);
    chmodSync(place.project(), 0o777);
    const server = await unprivileged(place);

    expect(await refusal(server.start(place.spec('fault-command', ['0', '0'])))).toContain('another user');
  });

  test('a process of root that a record names lives, and is not taken for a dead one', async ({ place }) => {
    const server = await unprivileged(place);
    const { taskId } = await server.start(place.spec('fault-command', ['0', '600000']));
    await until(() => readFileSync(place.file(taskId, 'child.json')));
    const roots = spawn('sleep', ['600'], { cwd: '/', stdio: 'ignore' });
    onTestFinished(() => void roots.kill('SIGKILL'));
    const child = { ...JSON.parse(readFileSync(place.file(taskId, 'child.json'), 'utf8')) };
    writeFileSync(
      place.file(taskId, 'child.json'),
      JSON.stringify({ ...child, identity: identify(roots.pid!) }),
    );
    const seen = look(roots.pid!)!;
    // Only now: a server that looked in between would have recorded the end of the real one.
    for (const each of [...place.supervisors(), ...place.members()]) kill(each);

    await until(async () =>
      expect(await server.get(taskId)).toMatchObject({ status: 'running', phase: 'adopted' }),
    );
    const cancelled = await server.cancel(taskId);

    expect(isAlive(seen)).toBe(true);
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      message: expect.stringContaining(String(roots.pid)),
    });
  });
});
