import { readFileSync, writeFileSync } from 'node:fs';

import { describe, expect } from 'vitest';

import { readRecords } from '../../packages/mcpify/dist/tasks/read-records.js';
import { requestEnd } from '../../packages/mcpify/dist/tasks/request-end.js';
import { taskFolder } from '../../packages/mcpify/dist/tasks/task-folder.js';
import { TaskKeeper } from '../../packages/mcpify/dist/tasks/task-keeper.js';
import { kill } from './faults/census.js';
import { test, until } from './faults/fault-place.js';

describe('two servers on one store', () => {
  test('cancel the same task at once: one answer, one record', async ({ place }) => {
    const servers = await Promise.all([place.server(), place.server()]);
    const { taskId } = await servers[0]!.start(
      place.spec('fault-command', ['0', '600000', 'tree', 'stubborn']),
    );
    await place.untilSleeping(4);

    const answers = await Promise.all([...servers, ...servers].map((server) => server.cancel(taskId)));

    expect(place.members()).toEqual([]);
    expect(answers[0]).toMatchObject({ status: 'cancelled' });
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  test('one asks for the end, the command is killed, and it is gone: nobody of the tree is left', async ({
    place,
  }) => {
    const server = await place.server();
    const { taskId } = await server.start(place.spec('fault-command', ['0', '600000', 'tree']));
    await place.untilSleeping(4);
    const command = place.members().filter(({ commandLine }) => commandLine.includes('fault-command'));
    writeFileSync(
      place.file(taskId, 'cancel.json'),
      JSON.stringify({ kind: 'cancel', at: new Date().toISOString() }),
    );
    for (const each of command) kill(each);

    expect(await server.untilEnded(taskId)).toMatchObject({ status: 'cancelled', signal: 'SIGKILL' });
    expect(place.members()).toEqual([]);
  });

  test('one has ended a run before the other, which has read its records, looks at its processes', async ({
    place,
  }) => {
    const server = await place.server();
    const { taskId } = await server.start(place.spec('fault-command', ['0', '600000']));
    await until(() => readFileSync(place.file(taskId, 'child.json')));
    await place.killServers();
    for (const each of place.supervisors()) kill(each);
    await until(() => expect(place.supervisors()).toEqual([]));
    const folder = taskFolder(place.project(), taskId);
    const records = (await readRecords(folder))!;

    await requestEnd(folder, 'cancel');
    for (const each of place.members()) kill(each);
    await until(() => expect(place.members()).toEqual([]));

    // A process that is being taken down has no environment any more, but is not gone yet: adopted until it is.
    await until(async () =>
      expect(await new TaskKeeper().settle(folder, records)).toMatchObject({ exit: { status: 'cancelled' } }),
    );
  });

  test('settle what a killed supervisor has left, at once: one answer, and its bytes stay', async ({
    place,
  }) => {
    const servers = await Promise.all([place.server(), place.server()]);
    const { taskId } = await servers[0]!.start(place.spec('fault-command', ['0', '600000']));
    await until(() => readFileSync(place.file(taskId, 'child.json')));
    for (const each of [...place.supervisors(), ...place.members()]) kill(each);

    const asked = Array.from({ length: 10 }, (_, index) => servers[index % 2]!.get(taskId));
    const answers = (await Promise.all(asked)).filter((answer) => answer?.status !== 'running');
    const [one, other] = await Promise.all(servers.map((server) => server.untilEnded(taskId)));

    const bytes = readFileSync(place.file(taskId, 'exit.json'), 'utf8');
    expect(one).toMatchObject({ status: 'failed', reason: 'lost', evidence: 'none' });
    expect([other, ...answers]).toEqual(Array.from({ length: answers.length + 1 }, () => one));
    await Promise.all(servers.map((server) => server.cancel(taskId)));
    expect(readFileSync(place.file(taskId, 'exit.json'), 'utf8')).toBe(bytes);
  });

  test('one that closes with "cancel" leaves the tasks of the other', async ({ place }) => {
    const [one, other] = await Promise.all([place.server(), place.server()]);
    const spec = place.spec('fault-command', ['0', '600000']);
    const [first, second] = await Promise.all([one.start(spec), other.start(spec)]);

    await one.close('cancel');

    expect(await other.get(first.taskId)).toMatchObject({ status: 'cancelled' });
    expect(await other.get(second.taskId)).toMatchObject({ status: 'running' });
  });
});

describe('a server that is killed in the middle of a wait', () => {
  test('the next one waits on, and tells the true end', async ({ place }) => {
    const first = await place.server();
    const { taskId } = await first.start(place.spec('fault-command', ['3', '2500']));
    const waits = [
      first.wait(taskId),
      first.readOutput(taskId, { offsetBytes: 1e6, maxBytes: 100, waitMs: 45_000 }),
    ];
    for (const wait of waits) wait.catch(() => {});
    await until(() => readFileSync(place.file(taskId, 'child.json')));
    await first.server.kill();
    await expect(Promise.any(waits)).rejects.toThrow();

    const next = await place.server();

    expect(await next.untilEnded(taskId)).toMatchObject({
      status: 'failed',
      exitCode: 3,
      evidence: 'supervisor',
    });
  });
});
