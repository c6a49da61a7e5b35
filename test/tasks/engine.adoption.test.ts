import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect } from 'vitest';

import type { RunClaim, TaskRecord } from '../../packages/mcpify/src/tasks/task-records.js';
import { endOf, killed, NOBODY, test, until, type EnginePlace } from './engine-place.js';

/** A task whose command runs, and whose supervisor has been killed. */
async function orphan(place: EnginePlace, argv: readonly string[], parts = {}) {
  const backend = place.backend();
  const { taskId } = await backend.start(place.spec(['write=runs', ...argv], parts), {}, NOBODY);
  await place.untilThere('runs');
  const child = await place.childOf(taskId);
  process.kill(await place.supervisorOf(taskId), 'SIGKILL');
  return { backend, taskId, child };
}

describe('a supervisor that is killed', () => {
  test('leaves a task that goes on, and ends with the exit code that its own process tells', async ({
    place,
  }) => {
    const { backend, taskId } = await orphan(place, ['until=go', 'exit=3']);
    await until(async () => (await backend.get(taskId, NOBODY))?.phase === 'adopted' || undefined);

    writeFileSync(place.file('go'), '');

    expect(await endOf(backend, { taskId })).toMatchObject({
      status: 'failed',
      exitCode: 3,
      evidence: 'witness',
    });
  });

  test('and its command, too: lost', async ({ place }) => {
    const { backend, taskId, child } = await orphan(place, ['wait=60000']);
    process.kill(child, 'SIGKILL');

    expect(await endOf(backend, { taskId })).toMatchObject({
      status: 'failed',
      reason: 'lost',
      evidence: 'none',
    });
  });

  test('leaves a task that can be cancelled', async ({ place }) => {
    const { backend, taskId } = await orphan(place, ['stubborn', 'write=is-stubborn', 'wait=60000']);
    await place.untilThere('is-stubborn');

    expect(await backend.cancel(taskId, NOBODY)).toMatchObject({ status: 'cancelled' });

    expect(place.living()).toEqual([]);
  });

  test('leaves a task that keeps its deadline', async ({ place }) => {
    const { backend, taskId } = await orphan(place, ['wait=60000'], { timeoutMs: 4_000 });
    await until(async () => (await backend.get(taskId, NOBODY))?.phase === 'adopted' || undefined);

    expect(await endOf(backend, { taskId })).toMatchObject({ status: 'timeout' });

    expect(place.living()).toEqual([]);
  });

  test('leaves a task whose leftovers are ended', async ({ place }) => {
    const { backend, taskId } = await orphan(place, ['leave=60', 'exit=0']);

    expect(await endOf(backend, { taskId })).toMatchObject({ status: 'completed', exitCode: 0 });

    expect(place.living()).toEqual([]);
  });

  test('with its server: the next one finds the task', async ({ place }) => {
    const spec = place.spec(['write=runs', 'until=go', 'exit=3']);
    const { process: server, taskIds } = await place.server([{ spec }]);
    const [taskId = ''] = taskIds;
    await place.untilThere('runs');
    process.kill(await place.supervisorOf(taskId), 'SIGKILL');
    await killed(server);
    writeFileSync(place.file('go'), '');

    expect(await endOf(place.backend(), { taskId })).toMatchObject({ exitCode: 3, evidence: 'witness' });
  });

  test('before it had recorded the command: what runs is found all the same', async ({ place }) => {
    const { backend, taskId } = await orphan(place, ['until=go', 'exit=3']);
    writeFileSync(join(place.folderOf(taskId), 'child.json'), '{ torn');
    await until(async () => (await backend.get(taskId, NOBODY))?.phase === 'adopted' || undefined);

    writeFileSync(place.file('go'), '');

    expect(await endOf(backend, { taskId })).toMatchObject({ exitCode: 3, evidence: 'witness' });
  });
});

describe('a supervisor', () => {
  test('that is told to end cancels its task', async ({ place }) => {
    const backend = place.backend();
    const { taskId } = await backend.start(place.spec(['write=runs', 'wait=60000']), {}, NOBODY);
    await place.untilThere('runs');

    process.kill(await place.supervisorOf(taskId), 'SIGTERM');

    expect(await endOf(backend, { taskId })).toMatchObject({ status: 'cancelled', signal: 'SIGTERM' });
  });

  test('that is stopped is woken by a cancel', async ({ place }) => {
    const backend = place.backend();
    const { taskId } = await backend.start(place.spec(['write=runs', 'wait=60000']), {}, NOBODY);
    await place.untilThere('runs');
    process.kill(await place.supervisorOf(taskId), 'SIGSTOP');

    expect(await backend.cancel(taskId, NOBODY)).toMatchObject({
      status: 'cancelled',
      evidence: 'supervisor',
    });
  });

  test('needs no server', async ({ place }) => {
    const spec = place.spec(['write=runs', 'until=go', 'exit=3']);
    const { process: server, taskIds } = await place.server([{ spec }]);
    const [taskId = ''] = taskIds;
    await place.untilThere('runs');
    await killed(server);
    writeFileSync(place.file('go'), '');

    const ended = await endOf(place.backend(), { taskId });

    expect(ended).toMatchObject({ status: 'failed', exitCode: 3, evidence: 'supervisor' });
  });
});

describe('processes of the record that are others now', () => {
  test('after a restart of the machine: nobody is left', async ({ place }) => {
    const { backend, taskId } = await orphan(place, ['wait=60000']);
    const claim = place.record<RunClaim>(taskId, 'run.json');
    if (claim?.kind !== 'supervisor') throw new Error('no claim');
    const supervisor = { ...claim.supervisor, bootId: 'an earlier one' };
    writeFileSync(join(place.folderOf(taskId), 'run.json'), JSON.stringify({ ...claim, supervisor }));

    expect(await backend.get(taskId, NOBODY)).toMatchObject({ status: 'failed', reason: 'host-restarted' });
  });

  test('with the number of a stranger: lost, and the stranger is not touched', async ({ place }) => {
    const { backend, taskId, child } = await orphan(place, ['wait=60000']);
    process.kill(child, 'SIGKILL');
    const stranger = place.stranger();
    for (const [name, part] of [
      ['run.json', 'supervisor'],
      ['child.json', 'identity'],
    ] as const) {
      const record = place.record<any>(taskId, name);
      const changed = { ...record, [part]: { ...record[part], pid: stranger.pid } };
      writeFileSync(join(place.folderOf(taskId), name), JSON.stringify(changed));
    }

    expect(await backend.cancel(taskId, NOBODY)).toMatchObject({ status: 'failed', reason: 'lost' });

    expect(stranger.signalCode).toBe(null);
    expect(stranger.exitCode).toBe(null);
  });

  test('of another container or machine are not ours to judge', async ({ place }) => {
    const { backend, taskId } = await orphan(place, ['wait=60000']);
    for (const name of ['run.json', 'child.json', 'meta.json']) {
      const text = JSON.stringify(place.record<TaskRecord>(taskId, name));
      const changed = text
        .replaceAll(/"pidNamespace":"[^"]*"/g, '"pidNamespace":"another"')
        .replaceAll(/"hostName":"[^"]*"/g, '"hostName":"another"');
      writeFileSync(join(place.folderOf(taskId), name), changed);
    }

    expect(await backend.get(taskId, NOBODY)).toMatchObject({ status: 'running', phase: 'supervised' });
  });
});
