import { describe, expect } from 'vitest';

import { endOf, NOBODY, test } from './engine-place.js';

describe('a task ends', () => {
  test('completed, with exit code 0 and its output', async ({ place }) => {
    const backend = place.backend();
    const started = await backend.start(place.spec(['print=one', 'complain=two', 'print=three']), {}, NOBODY);
    expect(started).toMatchObject({ status: 'running', toolName: 'command', attempt: 1 });

    const ended = await endOf(backend, started);

    expect(ended).toMatchObject({
      status: 'completed',
      exitCode: 0,
      evidence: 'supervisor',
      outputBytes: 14,
    });
    const page = await backend.readOutput(ended.taskId, { maxBytes: 100 }, NOBODY);
    expect(page?.text).toBe('one\ntwo\nthree\n');
  });

  test('failed, by another exit code', async ({ place }) => {
    const backend = place.backend();
    const { taskId } = await endOf(backend, await backend.start(place.spec(['exit=3']), {}, NOBODY));

    expect(await backend.get(taskId, NOBODY)).toMatchObject({ status: 'failed', exitCode: 3 });
  });

  test('completed, by an exit code that is a normal result', async ({ place }) => {
    const backend = place.backend();
    const spec = place.spec(['exit=3'], { exitCodes: [1, 3] });

    expect(await endOf(backend, await backend.start(spec, {}, NOBODY))).toMatchObject({
      status: 'completed',
      exitCode: 3,
    });
  });

  test('failed, by a signal', async ({ place }) => {
    const backend = place.backend();
    const ended = await endOf(backend, await backend.start(place.spec(['die=SIGKILL']), {}, NOBODY));

    expect(ended).toMatchObject({ status: 'failed', signal: 'SIGKILL' });
    expect(ended).not.toHaveProperty('exitCode');
  });

  test('failed, where the command cannot be started', async ({ place }) => {
    const backend = place.backend();
    const spec = place.spec([], { cwd: place.file('nowhere') });

    expect(await endOf(backend, await backend.start(spec, {}, NOBODY))).toMatchObject({
      status: 'failed',
      reason: 'spawn-error',
      message: expect.stringContaining('ENOENT'),
    });
  });

  test('timeout, after its deadline', async ({ place }) => {
    const backend = place.backend();
    const spec = place.spec(['wait=60000'], { timeoutMs: 300 });

    expect(await endOf(backend, await backend.start(spec, {}, NOBODY))).toMatchObject({
      status: 'timeout',
      signal: 'SIGTERM',
      timeoutMs: 300,
    });
  });

  test('cancelled', async ({ place }) => {
    const backend = place.backend();
    const { taskId } = await backend.start(place.spec(['wait=60000']), {}, NOBODY);

    const cancelled = await backend.cancel(taskId, NOBODY);

    expect(cancelled).toMatchObject({ status: 'cancelled' });
    expect(await backend.get(taskId, NOBODY)).toEqual(cancelled);
    expect(await backend.cancel(taskId, NOBODY)).toEqual(cancelled);
  });
});
