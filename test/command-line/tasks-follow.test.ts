import { describe, expect } from 'vitest';

import { test } from './store.js';

test('the end of the log, then what is printed, until the task ends', async ({ store }) => {
  const { taskId } = await store.run();
  const view = store.onPipe(['follow', taskId.slice(0, 13)]);
  await view.untilShown('started\n');
  store.print('more\n');
  await view.untilShown('more\n');
  store.print('last, without a line feed');
  store.end();
  const { stdout, stderr, exitCode } = await view.ended;
  expect(stdout).toBe('started\nmore\nlast, without a line feed');
  expect(stderr).toMatch(
    /^job has been running for \d+ s\. Ctrl-C ends the view, not the task\.\ncompleted, after \d+ s\n$/,
  );
  expect(exitCode).toBe(0);
});

test('of one that has ended: its last lines, and an exit code that tells how', async ({ store }) => {
  const { taskId } = await store.finished('one\ntwo\nthree\n', { exitCode: 3 });
  const { stdout, stderr, exitCode } = await store.tasks('follow', '--lines', '2', taskId);
  expect(stdout).toBe('two\nthree\n');
  expect(stderr).toBe('failed, exit code 3, after 0 s\n');
  expect(exitCode).toBe(1);
});

test('more than a page', async ({ store }) => {
  const text = Array.from({ length: 100_000 }, (_, number) => `line ${number}\n`).join('');
  const { taskId } = await store.finished(text);
  const { stdout } = await store.tasks('follow', taskId);
  expect(stdout).toBe(text.split('\n').slice(-51).join('\n'));
  const { stdout: all } = await store.tasks('follow', '--lines', '100000', taskId);
  expect(all.endsWith('line 99998\nline 99999\n')).toBe(true);
});

test('Ctrl-C leaves the task running', async ({ store }) => {
  const { taskId } = await store.run();
  const view = store.onPipe(['follow', taskId]);
  await view.untilShown('started\n');
  view.stop();
  await view.ended;
  expect(await store.backend.get(taskId, {})).toMatchObject({ status: 'running' });
});

test.for([
  ['none', 'tx', /no task "tx"/],
  ['several', 't', /2 tasks begin with "t"/],
] as const)('an id that names %s is an error', async ([, idStart, message], { store }) => {
  await store.finished('');
  await store.finished('');
  const { stderr, exitCode } = await store.tasks('follow', idStart);
  expect(stderr).toMatch(message);
  expect(exitCode).toBe(1);
});

const COLOURED = '\u001b[32mgreen\u001b[39m\u001b]0;title\u0007 10 %\r\u001b[K 20 %\n\u001b[5A\u001b[2Jend\n';

describe('colours and progress bars', () => {
  test('on a terminal as they are; nothing else that a log could do to it', async ({ store }) => {
    const { taskId } = await store.finished(COLOURED);
    const { stdout } = await store.onTerminal(['follow', taskId]).ended;
    expect(stdout).toContain('\u001b[32mgreen\u001b[39m 10 %\r\u001b[K 20 %\r\nend\r\n');
  });

  test('a sequence in two pieces is one', async ({ store }) => {
    const { taskId } = await store.run();
    const view = store.onTerminal(['follow', taskId]);
    await view.untilShown('started');
    store.print('a\u001b[3');
    await view.untilShown('a');
    store.print('1mb\u001b]0;ti');
    await view.untilShown('\u001b[31mb');
    store.print('tle\u0007c\n');
    await view.untilShown('bc');
    store.end();
    expect((await view.ended).stdout).not.toMatch('title');
  });

  test('into a pipe: the text in the end', async ({ store }) => {
    const { taskId } = await store.finished('\u001b[32mgreen\u001b[39m 10 %\r\u001b[K 20 %\nend\n');
    expect((await store.tasks('follow', taskId)).stdout).toBe(' 20 %\nend\n');
  });
});
