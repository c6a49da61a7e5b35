import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { TaskRefusedError } from 'mcpify/tasks';
import { describe, expect } from 'vitest';

import { endOf, killed, NOBODY, test, until } from './engine-place.js';

const ONE_AT_ONCE = { maxConcurrentTasks: 1, maxQueuedTasks: 2 };

describe('the queue', () => {
  test('runs so many at once, the others in order', async ({ place }) => {
    const backend = place.backend(ONE_AT_ONCE);
    const first = await backend.start(place.spec(['until=go', 'append=order:1']), {}, NOBODY);
    const second = await backend.start(place.spec(['append=order:2']), {}, NOBODY);
    const third = await backend.start(place.spec(['append=order:3']), {}, NOBODY);
    expect([first.phase, second.phase, third.phase]).toEqual(['starting', 'queued', 'queued']);
    expect(await backend.get(second.taskId, NOBODY)).toMatchObject({ status: 'running', phase: 'queued' });

    writeFileSync(place.file('go'), '');

    for (const task of [first, second, third]) {
      expect(await endOf(backend, task)).toMatchObject({ status: 'completed' });
    }
    expect(place.read('order')).toBe('123');
  });

  test('refuses what it has no room for, and stores nothing of it', async ({ place }) => {
    const backend = place.backend(ONE_AT_ONCE);
    const tasks = await Promise.allSettled(
      [1, 2, 3, 4].map(() => backend.start(place.spec(['wait=60000']), {}, NOBODY)),
    );

    expect(tasks.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    expect(tasks.at(-1)).toMatchObject({ reason: expect.any(TaskRefusedError) });
    expect(await backend.list(NOBODY)).toHaveLength(3);
  });

  test('has room again when one has ended', async ({ place }) => {
    const backend = place.backend({ maxConcurrentTasks: 1, maxQueuedTasks: 0 });
    await endOf(backend, await backend.start(place.spec([]), {}, NOBODY));

    const second = await until(() => backend.start(place.spec([]), {}, NOBODY).catch(() => undefined));

    expect(await endOf(backend, second)).toMatchObject({ status: 'completed' });
  });

  test('never starts what is cancelled while it waits', async ({ place }) => {
    const backend = place.backend(ONE_AT_ONCE);
    const first = await backend.start(place.spec(['until=go']), {}, NOBODY);
    const second = await backend.start(place.spec(['write=second-ran']), {}, NOBODY);

    expect(await backend.cancel(second.taskId, NOBODY)).toMatchObject({ status: 'cancelled' });

    writeFileSync(place.file('go'), '');
    await endOf(backend, first);
    await endOf(backend, await backend.start(place.spec([]), {}, NOBODY));
    expect(() => place.read('second-ran')).toThrow('ENOENT');
  });
});

describe('a server that ends', () => {
  test('in good order, with keep: tasks run on, and what waits is started by the next one', async ({
    place,
  }) => {
    const first = place.backend(ONE_AT_ONCE);
    const running = await first.start(place.spec(['until=go', 'exit=3']), {}, NOBODY);
    const waiting = await first.start(place.spec(['exit=4']), {}, NOBODY);
    await first.close('keep');
    await expect(first.start(place.spec([]), {}, NOBODY)).rejects.toThrow(TaskRefusedError);

    // This process is the server of both, so the waiting one is not taken from it before its end.
    expect(await place.backend().get(waiting.taskId, NOBODY)).toMatchObject({ phase: 'queued' });
    writeFileSync(place.file('go'), '');
    expect(await endOf(place.backend(), running)).toMatchObject({ exitCode: 3 });
  });

  test('by SIGKILL: what waits is started by the next one; with secrets it never is', async ({ place }) => {
    const { process: server, taskIds } = await place.server(
      [
        { spec: place.spec(['until=go']) },
        { spec: place.spec(['exit=4']) },
        { spec: place.spec(['write=ran']), secrets: { argv: ['write=ran'] } },
      ],
      { settings: ONE_AT_ONCE },
    );
    await killed(server);
    const backend = place.backend();

    const [running = '', waiting = '', secret = ''] = taskIds;
    expect(await endOf(backend, { taskId: waiting })).toMatchObject({ status: 'failed', exitCode: 4 });
    expect(await endOf(backend, { taskId: secret })).toMatchObject({
      status: 'failed',
      reason: 'never-started',
    });
    expect(() => place.read('ran')).toThrow('ENOENT');
    expect(await backend.get(running, NOBODY)).toMatchObject({ status: 'running' });
    writeFileSync(place.file('go'), '');
    expect(await endOf(backend, { taskId: running })).toMatchObject({ status: 'completed' });
  });

  test('by SIGKILL, with a supervisor that has no orders yet: the next one starts it; with secrets it never is', async ({
    place,
  }) => {
    const { process: server, taskIds } = await place.server(
      [
        { spec: place.spec(['until=go']) },
        { spec: place.spec(['exit=4']) },
        { spec: place.spec(['write=ran']), secrets: { argv: ['write=ran'] } },
      ],
      { settings: ONE_AT_ONCE },
    );
    const [running = '', waiting = '', secret = ''] = taskIds;
    await place.supervisorOf(running);
    await killed(server);

    for (const taskId of [waiting, secret]) await superviseWithoutOrders(place.projectFolder(taskId), taskId);

    expect(place.record(waiting, 'run.json')).toBeUndefined();
    expect(place.record(secret, 'exit.json')).toMatchObject({ reason: 'never-started' });
    expect(await endOf(place.backend(), { taskId: waiting })).toMatchObject({ exitCode: 4 });
    expect(() => place.read('ran')).toThrow('ENOENT');
    writeFileSync(place.file('go'), '');
  });

  test('in good order: what waits with secrets is told to be never started', async ({ place }) => {
    const { process: server, taskIds } = await place.server(
      [{ spec: place.spec(['until=go']) }, { spec: place.spec([]), secrets: { argv: [] } }],
      { settings: ONE_AT_ONCE },
    );
    server.stdin?.end();

    const [, secret = ''] = taskIds;
    expect(await endOf(place.backend(), { taskId: secret })).toMatchObject({ reason: 'never-started' });
    writeFileSync(place.file('go'), '');
  });

  test('with cancel: all of its tasks are cancelled, waiting ones too', async ({ place }) => {
    const backend = place.backend(ONE_AT_ONCE);
    const running = await backend.start(place.spec(['write=runs', 'wait=60000']), {}, NOBODY);
    const waiting = await backend.start(place.spec([]), {}, NOBODY);
    await place.untilThere('runs');

    await backend.close('cancel');

    expect(place.living()).toEqual([]);
    for (const { taskId } of [running, waiting]) {
      expect(await backend.get(taskId, NOBODY)).toMatchObject({ status: 'cancelled' });
    }
  });

  test('by SIGKILL, with a tie: its tasks end with it', async ({ place }) => {
    const spec = place.spec(['write=runs', 'leave=60', 'stubborn', 'wait=60000'], { tie: true });
    const { process: server, taskIds } = await place.server([{ spec }]);
    await place.untilThere('runs');

    await killed(server);

    const [taskId = ''] = taskIds;
    expect(await endOf(place.backend(), { taskId })).toMatchObject({
      status: 'cancelled',
      reason: 'server-gone',
    });
    expect(place.living()).toEqual([]);
  });
});

describe('leftovers', () => {
  test('are ended with the command', async ({ place }) => {
    const backend = place.backend();
    const task = await backend.start(place.spec(['leave=60', 'exit=3']), {}, NOBODY);

    expect(await endOf(backend, task)).toMatchObject({ status: 'failed', exitCode: 3 });

    expect(place.living()).toEqual([]);
  });

  test('stay, where they are to be kept', async ({ place }) => {
    const backend = place.backend();
    const task = await backend.start(place.spec(['leave=60'], { leftovers: 'keep' }), {}, NOBODY);

    expect(await endOf(backend, task)).toMatchObject({ status: 'completed' });

    expect(place.living()).toHaveLength(1);
  });
});

const SUPERVISOR = fileURLToPath(
  new URL('../../packages/mcpify/dist/tasks/supervisor/main.js', import.meta.url),
);

/** As a server leaves it that is killed within the start of it. */
async function superviseWithoutOrders(projectPath: string, taskId: string): Promise<void> {
  await once(spawn(process.execPath, [SUPERVISOR, projectPath, taskId], { stdio: 'ignore' }), 'exit');
}
