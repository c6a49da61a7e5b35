import assert from 'node:assert/strict';

import type { CaseDefinition } from './subject.js';

export const deadlineCases: readonly CaseDefinition[] = [
  {
    name: 'a task that runs too long ends with status timeout, with its output',
    async run(context) {
      const { taskId } = await context.start(['out:so far', 'sleep:600000'], { timeoutMs: 2_000 });
      const { status, exitCode } = await context.untilEnded(taskId);
      assert.deepEqual({ status, exitCode }, { status: 'timeout', exitCode: undefined });
      assert.equal(await context.readAll(taskId, 100), 'so far\n');
    },
  },
  {
    name: 'also one that ignores SIGTERM',
    async run(context) {
      const { taskId } = await context.start(['stubborn', 'sleep:600000'], { timeoutMs: 500 });
      assert.equal((await context.untilEnded(taskId)).status, 'timeout');
    },
  },
  {
    name: 'a task that ends in time is not touched',
    async run(context) {
      const { taskId } = await context.start(['exit:3'], { timeoutMs: 30_000 });
      const { status, exitCode } = await context.untilEnded(taskId);
      assert.deepEqual({ status, exitCode }, { status: 'failed', exitCode: 3 });
    },
  },
  {
    name: 'a time longer than a timer can hold is not "at once"',
    async run(context) {
      const end = async (timeoutMs: number) => {
        const { taskId } = await context.start(['sleep:300', 'exit:3'], { timeoutMs });
        assert.equal((await context.untilEnded(taskId)).exitCode, 3, `${timeoutMs} ms`);
      };
      await Promise.all([2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER].map(end));
    },
  },
];
