import { describe, expect } from 'vitest';

import { test } from './store.js';

test('no tasks: it says so', async ({ store }) => {
  expect(await store.tasks()).toEqual({ stdout: 'No tasks.\n', stderr: '', exitCode: 0 });
  expect(await store.tasks('list', '--json')).toMatchObject({ stdout: '[]\n', exitCode: 0 });
});

test('the newest first, with how they stand, in columns; into a pipe: whole ids, no colours', async ({
  store,
}) => {
  const completed = await store.finished('x'.repeat(12_345), { toolName: 'check_all' });
  const failed = await store.finished('', { exitCode: 3 });
  const running = await store.run();

  const { stdout, stderr, exitCode } = await store.tasks();

  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll(/\d+ s/g, 'N s').split(/ {2,}/));
  expect(rows).toEqual([
    ['ID', 'TOOL', 'STATUS', 'STARTED', 'TOOK', 'OUTPUT'],
    [running.taskId, 'job', 'running', 'N s ago', 'N s', '8 B'],
    [failed.taskId, 'job', 'failed, exit code 3', 'N s ago', 'N s', '0 B'],
    [completed.taskId, 'check_all', 'completed', 'N s ago', 'N s', '12 kB'],
  ]);
  expect((await store.tasks('list', '--limit', '1')).stdout.split('\n')).toHaveLength(3);
});

test('of all CLIs of the user and all callers, or of one CLI', async ({ store }) => {
  const own = await store.run({ caller: { owner: 'ann' } });
  const other = await store.finished('', { entry: '/srv/shop/dist/main.js' });
  const both = (await store.tasks()).stdout;
  expect(both).toMatch(/PROJECT/);
  expect(both).toMatch(new RegExp(`${own.taskId} .* fixtures\n`));
  expect(both).toMatch(new RegExp(`${other.taskId} .* shop\n`));
  const one = (await store.tasks('--entry', '/srv/shop/dist/main.js')).stdout;
  expect(one).not.toMatch(own.taskId);
  expect(one).toMatch(other.taskId);

  const json = JSON.parse((await store.tasks('list', '--json')).stdout) as object[];
  expect(json).toMatchObject([
    { taskId: other.taskId, entry: '/srv/shop/dist/main.js' },
    { taskId: own.taskId, status: 'running', phase: 'supervised', owner: 'ann' },
  ]);
  await store.backend.cancel(own.taskId, { owner: 'ann' });
});

test('options of the store stand before or behind a subcommand and its own options', async ({ store }) => {
  const { taskId } = await store.finished('', { entry: '/srv/shop/dist/main.js' });
  const entry = ['--entry', '/srv/shop/dist/main.js'];
  for (const args of [
    [...entry, 'list', '--limit', '5'],
    ['list', ...entry, '--limit', '5'],
    ['list', '--limit', '5', ...entry],
  ]) {
    expect((await store.tasks(...args)).stdout).toMatch(taskId);
  }
  const removed = { stdout: 'Removed 1 task.\n', stderr: '', exitCode: 0 };
  expect(await store.tasks('clean', '--all', ...entry)).toEqual(removed);
});

test('a script that does not exist and has no tasks is an error', async ({ store }) => {
  await store.finished('');
  for (const args of [
    ['list', '--entry', '/srv/nope.js'],
    ['clean', '--all', '--entry', '/srv/nope.js'],
  ]) {
    expect(await store.tasks(...args)).toEqual({
      stdout: '',
      stderr: 'error: there is no script "/srv/nope.js", and no tasks of one\n',
      exitCode: 1,
    });
  }
});

describe('on a terminal', () => {
  test('short ids and colours, unless NO_COLOR is set', async ({ store }) => {
    const { taskId } = await store.finished('', { exitCode: 3 });
    const short = taskId.slice(0, 13);
    const { stdout } = await store.onTerminal(['list']).ended;
    expect(stdout).toMatch(`${short}  job`);
    expect(stdout).toMatch('\u001b[31mfailed, exit code 3\u001b[39m');
    const plain = await store.onTerminal(['list'], { NO_COLOR: '1' }).ended;
    expect(plain.stdout).toMatch(`${short}  job`);
    expect(plain.stdout).not.toMatch('\u001b');
  });

  test('--watch draws the table over itself', async ({ store }) => {
    await store.run();
    const view = store.onTerminal(['list', '--watch']);
    await view.untilShown(/running[^]*\u001b\[2A\r\u001b\[J[^]*running/);
    store.end();
    await view.untilShown('completed');
    view.stop();
    await view.ended;
  });
});

test('--watch into a pipe is refused', async ({ store }) => {
  expect(await store.tasks('list', '--watch')).toEqual({
    stdout: '',
    stderr: 'error: --watch needs a terminal\n',
    exitCode: 1,
  });
});

test.for([
  [['list', '--limit', '0'], /1 or more/],
  [['list', '--limit', 'x'], /1 or more/],
  [['follow'], /missing required argument 'taskId'/],
  [['clean', '--older-than', 'x'], /number of days/],
  [['stop'], /unknown subcommand "stop"\. There are: list, follow, cancel, clean/],
  [['list', 'all'], /"tasks list" takes no arguments/],
] as const)('a mistake: %s', async ([args, message], { store }) => {
  const { stderr, exitCode } = await store.tasks(...args);
  expect(stderr).toMatch(message);
  expect(exitCode).toBe(1);
});
