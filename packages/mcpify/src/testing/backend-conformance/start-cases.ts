import assert from 'node:assert/strict';

import type { Task } from '../../tasks/task-backend.js';
import type { CaseDefinition } from './subject.js';

/** What a shell, a command line or a record could get wrong. */
const AWKWARD = ['', 'two words', '"quoted"', "it's", '$(id)', '`id`', '; id', '| id', '*', '%PATH%', '\\'];
const ARGV = ['argv', ...AWKWARD, '--', '-x', '--x=1', 'line\nbreak', 'grüße 漢字 😀', 'x'.repeat(10_000)];

export const startCases: readonly CaseDefinition[] = [
  {
    name: 'a started task is known at once, to every backend on the store',
    async run(context) {
      const another = await context.openAnother();
      const task = await context.start(['sleep:600000'], { toolName: 'cf_compile', timeoutMs: 500_000 });
      assert.equal(task.status, 'running');
      assert.equal(task.attempt, 1);
      assert.equal(task.endedAt, undefined);
      assert.equal(task.toolName, 'cf_compile');
      assert.equal(task.timeoutMs, 500_000);
      assert.ok(!Number.isNaN(Date.parse(task.createdAt)), 'createdAt is a date');
      assert.deepEqual(fixedParts(await context.get(task.taskId)), fixedParts(task));
      assert.deepEqual(fixedParts(await context.get(task.taskId, another)), fixedParts(task));
    },
  },
  {
    name: 'arguments arrive as they were given',
    async run(context) {
      const { taskId } = await context.start(ARGV);
      await context.untilEnded(taskId);
      assert.deepEqual(JSON.parse(await context.readAll(taskId, 100_000)), ARGV);
    },
  },
  {
    name: 'secret arguments reach the command, and nothing that is stored or shown',
    async run(context) {
      const secret = `secret-${Math.random()}`;
      const shown = ['argv', '***'];
      const real = ['argv', secret, 'x'.repeat(200_000), 'a\0b', ...AWKWARD];
      const { taskId } = await context.start(shown, { secrets: { argv: real } });
      const ended = await context.untilEnded(taskId);
      assert.deepEqual(JSON.parse(await context.readAll(taskId, 1_000_000)), real);
      assert.ok(!JSON.stringify(ended).includes(secret), 'the task does not show it');
    },
  },
  {
    name: 'a process list shows the arguments that may be shown',
    skip: () => (process.platform === 'linux' ? undefined : 'asks /proc of Linux'),
    async run(context) {
      const secrets = { argv: ['cmdline', 'out:secret'] };
      const { taskId } = await context.start(['cmdline', 'out:shown'], { secrets });
      await context.untilEnded(taskId);
      const [commandLine, written] = (await context.readAll(taskId, 100_000)).split('\n');
      assert.match(commandLine ?? '', /out:shown/);
      assert.doesNotMatch(commandLine ?? '', /out:secret/);
      assert.equal(written, 'secret');
    },
  },
  {
    name: 'the command runs in its working directory, with nothing to read from stdin',
    async run(context) {
      const { taskId } = await context.start(['cwd', 'stdin']);
      const { status } = await context.untilEnded(taskId);
      assert.equal(await context.readAll(taskId, 100_000), `${context.cwd}\n0\n`);
      assert.equal(status, 'completed');
    },
  },
  {
    name: 'a working directory that is not there: failed, with the reason',
    async run(context) {
      const { taskId } = await context.start(['out:never'], { cwd: `${context.cwd}/no-such-folder` });
      const { status, reason, exitCode, message } = await context.untilEnded(taskId);
      assert.deepEqual({ status, reason, exitCode }, SPAWN_ERROR);
      assert.ok(message, 'a sentence tells why');
    },
  },
  {
    name: 'many at once: each has an id that nobody guesses, and its own end',
    async run(context) {
      const codes = Array.from({ length: 8 }, (_, index) => index);
      const tasks = await Promise.all(codes.map((code) => context.start([`out:${code}`, `exit:${code}`])));
      const ids = tasks.map(({ taskId }) => taskId);
      assert.equal(new Set(ids).size, ids.length, 'no two are alike');
      for (const id of ids) assert.match(id, /^[A-Za-z0-9_-]{24,200}$/);
      const ended = await Promise.all(ids.map((id) => context.untilEnded(id)));
      assert.deepEqual(
        ended.map(({ exitCode }) => exitCode),
        codes,
      );
      const outputs = await Promise.all(ids.map((id) => context.readAll(id, 1_000)));
      assert.deepEqual(
        outputs,
        codes.map((code) => `${code}\n`),
      );
    },
  },
];

const SPAWN_ERROR = { status: 'failed', reason: 'spawn-error', exitCode: undefined };

/** What of a running task does not change from one look to the next. */
function fixedParts({ taskId, toolName, commandPath, status, attempt, createdAt, timeoutMs }: Task) {
  return { taskId, toolName, commandPath, status, attempt, createdAt, timeoutMs };
}
