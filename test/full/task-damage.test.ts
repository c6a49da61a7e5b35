import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect } from 'vitest';

import { kill } from '../tasks/faults/census.js';
import { test, until, type FaultPlace } from '../tasks/faults/fault-place.js';

const RECORDS = [
  'meta.json',
  'run.json',
  'child.json',
  'cancel.json',
  'exit.w.json',
  'exit.json',
  'log',
  'log.base',
];

const RUNNING = ['run.json', 'child.json', 'cancel.json', 'exit.w.json'];

/** What may stand where a record was; `path` has been removed. */
const DAMAGES: readonly [name: string, damage: (path: string, text: string) => void][] = [
  ['cut in half', (path, text) => writeFileSync(path, text.slice(0, text.length / 2))],
  ['empty', (path) => writeFileSync(path, '')],
  ['zeros', (path, text) => writeFileSync(path, '\0'.repeat(text.length))],
  ['another type', (path) => writeFileSync(path, '[1]')],
  ['fields of other types', (path, text) => writeFileSync(path, text.replaceAll(/:("[^"]*"|\d+)/g, ':{}'))],
  ['a folder', (path) => mkdirSync(path)],
  ['a link to itself', (path) => symlinkSync(path, path)],
  ['a link to nowhere', (path) => symlinkSync(`${path}-nowhere`, path)],
];

describe.each(DAMAGES)('%s', (_, damage) => {
  test('each record of a task that has ended: no server falls, no other task is lost, no end is made up', async ({
    place,
  }) => {
    const server = await place.server();
    const { taskId: well } = await server.start(place.spec('fault-command', ['0', '0']));
    await server.untilEnded(well);
    // It tidies up after the end: what is copied shall stand still.
    await until(() => expect(place.supervisors()).toEqual([]));
    const damaged = damageAll(place, well, damage);
    const next = await place.server();

    for (const { name, taskId } of damaged) {
      const task = await next.get(taskId).catch(() => undefined);
      // The log is no part of the end. What stands in for `exit.json` is the witness, or nothing.
      if (name === 'meta.json') expect(task).toBeUndefined();
      else if (name !== 'exit.json' || task?.status !== 'failed') expect(task).toMatchObject(COMPLETED);
      await next.cancel(taskId);
      await next.readOutput(taskId).catch(() => {});
    }
    expect(await next.list()).toContainEqual(await server.get(well));
    const { taskId: later } = await next.start(place.spec('fault-command', ['3', '0']));
    expect(await next.untilEnded(later)).toMatchObject({ status: 'failed', exitCode: 3 });
  });

  test('each record of a task that runs: it can be cancelled, and nobody is left', async ({ place }) => {
    const server = await place.server();
    const spec = place.spec('shell-command', ['sleep 600 & setsid sleep 600 & wait']);
    const tasks = await Promise.all(RUNNING.map(() => server.start(spec)));
    await place.untilSleeping(2 * RUNNING.length);
    for (const [index, { taskId }] of tasks.entries()) {
      const name = RUNNING[index]!;
      const path = place.file(taskId, name);
      damage(path, take(path));
      // While its supervisor lives, it knows the command itself.
      const supervisors = place.supervisors().filter(({ commandLine }) => commandLine.includes(taskId));
      if (name === 'child.json') for (const supervisor of supervisors) kill(supervisor);
    }

    const next = await place.server();
    const ended = await Promise.all(tasks.map(({ taskId }) => next.cancel(taskId)));

    expect(ended.map((task) => task?.status)).toEqual(RUNNING.map(() => 'cancelled'));
    await until(() => expect(place.members()).toEqual([]));
  });
});

const COMPLETED = {
  status: 'completed',
  exitCode: 0,
  evidence: expect.stringMatching(/^(supervisor|witness)$/),
};

/** Copies of a task that has ended, each with another record damaged. */
function damageAll(place: FaultPlace, taskId: string, damage: (path: string, text: string) => void) {
  return RECORDS.map((name, index) => {
    const copy = `${taskId.slice(0, -3)}00${index}`;
    // Put there whole: a server that lives tidies up what is half a task.
    const folder = join(place.folder, copy);
    cpSync(join(place.project(), taskId), folder, { recursive: true });
    const meta = join(folder, 'meta.json');
    writeFileSync(meta, readFileSync(meta, 'utf8').replaceAll(taskId, copy));
    damage(join(folder, name), take(join(folder, name)));
    renameSync(folder, join(place.project(), copy));
    return { name, taskId: copy };
  });
}

/** The text of a file, which is gone then. */
function take(path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    rmSync(path);
    return text;
  } catch {
    return '{"kind":"cancel","at":"2026-01-01T00:00:00.000Z"}';
  }
}
