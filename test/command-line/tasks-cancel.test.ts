import { expect } from 'vitest';

import { test } from './store.js';

test('cancel ends tasks of any caller, and says how they stand', async ({ store }) => {
  const running = await store.run({ caller: { owner: 'ann' } });
  const ended = await store.finished('');
  const { stdout, exitCode } = await store.tasks('cancel', running.taskId, ended.taskId);
  expect(stdout).toContain(`${running.taskId} job: cancelled\n`);
  expect(stdout).toContain(`${ended.taskId} job: had ended before: completed\n`);
  expect(exitCode).toBe(0);
  const now = await store.backend.get(running.taskId, { owner: 'ann' });
  expect(now).toMatchObject({ status: 'cancelled' });
});

test('cancel of an id that nobody has ends nothing', async ({ store }) => {
  const { taskId } = await store.run();
  const { stderr, exitCode } = await store.tasks('cancel', taskId, 'tx');
  expect(stderr).toMatch('no task "tx"');
  expect(exitCode).toBe(1);
  expect(await store.backend.get(taskId, {})).toMatchObject({ status: 'running' });
});

test('clean removes what has ended, of all CLIs', async ({ store }) => {
  const running = await store.run();
  await store.finished('');
  await store.finished('', { entry: '/srv/shop/dist/main.js' });
  expect(await store.tasks('clean', '--older-than', '1')).toMatchObject({ stdout: 'Removed 0 tasks.\n' });
  expect(await store.tasks('clean', '--all')).toMatchObject({ stdout: 'Removed 2 tasks.\n', exitCode: 0 });
  const left = JSON.parse((await store.tasks('list', '--json')).stdout) as object[];
  expect(left).toMatchObject([{ taskId: running.taskId }]);
});

test('clean asks which', async ({ store }) => {
  await store.finished('');
  expect(await store.tasks('clean')).toMatchObject({
    stderr: 'error: say which: --older-than <days> or --all\n',
    exitCode: 1,
  });
  expect(await store.backend.list({})).toHaveLength(1);
});
