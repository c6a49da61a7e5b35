import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { TaskRefusedError } from 'mcpify/tasks';
import { describe, expect } from 'vitest';

import { endOf, killed, NOBODY, test } from './engine-place.js';

describe('the store', () => {
  test.for([0o000, 0o777])('is private, umask %o', async (umask, { place }) => {
    const spec = place.spec(['write=runs', 'print=text', 'until=go', 'exit=0']);
    const { process: server, taskIds } = await place.server([{ spec }], { umask });
    await place.untilThere('runs');
    const [taskId = ''] = taskIds;
    const folder = place.folderOf(taskId);
    // Without a supervisor the command's own record is kept.
    process.kill(await place.supervisorOf(taskId), 'SIGKILL');
    await killed(server);
    writeFileSync(place.file('go'), '');
    await endOf(place.backend(), { taskId });

    expect(modeOf(dirname(folder))).toBe('700');
    expect(modeOf(join(dirname(folder), 'open'))).toBe('700');
    expect(modeOf(folder)).toBe('700');
    const files = readdirSync(folder);
    expect(files).toEqual(
      expect.arrayContaining(['child.json', 'exit.json', 'exit.w.json', 'log', 'meta.json']),
    );
    expect(files.map((name) => `${name} ${modeOf(join(folder, name))}`)).toEqual(
      files.map((name) => `${name} 600`),
    );
  });

  test('is refused where its folder is not a folder of ours', async ({ place }) => {
    const backend = place.backend();
    const { taskId } = await backend.start(place.spec([]), {}, NOBODY);
    await endOf(backend, { taskId });
    const project = place.projectFolder(taskId);
    const elsewhere = place.backend({ stateDir: place.file('trap') });
    mkdirSync(place.file('trap'));
    symlinkSync(project, join(place.file('trap'), project.slice(place.stateDir.length + 1)));

    await expect(elsewhere.start(place.spec([]), {}, NOBODY)).rejects.toThrow(TaskRefusedError);
  });

  test('says how to name another folder, where it cannot be written', async ({ place }) => {
    writeFileSync(place.file('file'), '');
    const backend = place.backend({ stateDir: place.file('file/state') });

    await expect(backend.start(place.spec([]), {}, NOBODY)).rejects.toThrow(/ENOTDIR.*stateDir/);
    expect(await backend.list(NOBODY)).toEqual([]);
  });

  test('holds no secret of a command line', async ({ place }) => {
    const backend = place.backend();
    const spec = place.spec(['print=hidden', 'until=go']);
    const secrets = { argv: ['write=runs', 'hush=open-sesame', 'until=go'] };
    const { taskId } = await backend.start(spec, secrets, NOBODY);
    await place.untilThere('runs');

    const commandLine = readFileSync(`/proc/${await place.childOf(taskId)}/cmdline`, 'utf8');
    const supervisor = readFileSync(`/proc/${await place.supervisorOf(taskId)}/cmdline`, 'utf8');
    const folder = place.folderOf(taskId);
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

    expect(commandLine).toContain('hidden');
    expect([commandLine, supervisor, ...files].join('\n')).not.toContain('sesame');
    writeFileSync(place.file('go'), '');
    expect(await endOf(backend, { taskId })).toMatchObject({ status: 'completed' });
  });

  test('keeps no mark of a task that has ended', async ({ place }) => {
    const backend = place.backend();
    const { taskId } = await backend.start(place.spec(['until=go']), {}, NOBODY);
    const open = join(place.projectFolder(taskId), 'open');
    expect(readdirSync(open)).toEqual([taskId]);

    writeFileSync(place.file('go'), '');
    await endOf(backend, { taskId });

    await expect.poll(() => readdirSync(open)).toEqual([]);
  });
});

describe('a task of somebody else', () => {
  test('cannot be told from one that never was', async ({ place }) => {
    const backend = place.backend();
    const { taskId } = await backend.start(place.spec(['until=go']), {}, { owner: 'ann' });
    const other = { owner: 'bob' };

    for (const caller of [other, NOBODY]) {
      expect(await backend.get(taskId, caller)).toBe(undefined);
      expect(await backend.wait(taskId, 10, caller)).toBe(undefined);
      expect(await backend.readOutput(taskId, { maxBytes: 10 }, caller)).toBe(undefined);
      expect(await backend.cancel(taskId, caller)).toBe(undefined);
      expect(await backend.list(caller)).toEqual([]);
    }
    expect(await backend.list({ owner: 'ann' })).toMatchObject([{ taskId, status: 'running' }]);
  });

  test('an id that could be a path is none', async ({ place }) => {
    const backend = place.backend();
    for (const taskId of ['', '..', '../x', 'open', 't'.repeat(33), '/etc', 't0\0']) {
      expect(await backend.get(taskId, NOBODY)).toBe(undefined);
      expect(await backend.cancel(taskId, NOBODY)).toBe(undefined);
    }
  });
});

describe('a record that is damaged', () => {
  test('of the end: lost, and it stays as it is', async ({ place }) => {
    const backend = place.backend();
    const { taskId } = await backend.start(place.spec([]), {}, NOBODY);
    await endOf(backend, { taskId });
    const path = join(place.folderOf(taskId), 'exit.json');
    writeFileSync(path, '{"status":"compl');

    expect(await backend.get(taskId, NOBODY)).toMatchObject({ status: 'failed', reason: 'lost' });
    expect(await backend.cancel(taskId, NOBODY)).toMatchObject({ status: 'failed', reason: 'lost' });
    expect(readFileSync(path, 'utf8')).toBe('{"status":"compl');
  });

  test('of the task: there is none', async ({ place }) => {
    const backend = place.backend();
    const { taskId } = await backend.start(place.spec([]), {}, NOBODY);
    await endOf(backend, { taskId });
    for (const text of ['', '{"taskId', '[]', 'null', '{}']) {
      writeFileSync(join(place.folderOf(taskId), 'meta.json'), text);

      expect(await backend.get(taskId, NOBODY), text).toBe(undefined);
      expect(await backend.list(NOBODY), text).toEqual([]);
    }
  });

  test('of the intent to end: the task is ended', async ({ place }) => {
    const backend = place.backend();
    const { taskId } = await backend.start(place.spec(['write=runs', 'wait=60000']), {}, NOBODY);
    await place.untilThere('runs');

    writeFileSync(join(place.folderOf(taskId), 'cancel.json'), '');

    expect(await endOf(backend, { taskId })).toMatchObject({ status: 'cancelled' });
  });
});

function modeOf(path: string): string {
  return (lstatSync(path).mode & 0o7777).toString(8);
}
