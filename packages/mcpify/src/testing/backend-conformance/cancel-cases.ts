import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

import { soon } from './case-context.js';
import type { CaseDefinition } from './subject.js';

export const cancelCases: readonly CaseDefinition[] = [
  {
    name: 'a cancelled task: cancelled for everybody, with the output so far',
    async run(context) {
      const another = await context.openAnother();
      const { taskId } = await context.start(['out:so far', 'sleep:600000']);
      await context.untilOutput(taskId, /so far\n/);
      const cancelled = await context.cancel(taskId);
      assert.equal(cancelled.status, 'cancelled');
      assert.notEqual(cancelled.endedAt, undefined);
      assert.deepEqual(await context.get(taskId, another), cancelled);
      assert.equal(await context.readAll(taskId, 100), 'so far\n');
    },
  },
  {
    name: 'cancelled by another backend on the store',
    async run(context) {
      const another = await context.openAnother();
      const { taskId } = await context.start(['out:up', 'sleep:600000']);
      await context.untilOutput(taskId, /up/);
      const cancelled = await context.cancel(taskId, another);
      assert.equal(cancelled.status, 'cancelled');
      assert.deepEqual(await context.get(taskId), cancelled);
    },
  },
  {
    name: 'cancelled by two at once: one end, the same for both',
    async run(context) {
      const another = await context.openAnother();
      const { taskId } = await context.start(['out:up', 'stubborn', 'sleep:600000']);
      await context.untilOutput(taskId, /up/);
      const [first, second, third] = await Promise.all([
        context.cancel(taskId),
        context.cancel(taskId, another),
        context.cancel(taskId),
      ]);
      assert.equal(first.status, 'cancelled');
      assert.deepEqual([second, third], [first, first]);
    },
  },
  {
    name: 'cancelled right after its start',
    async run(context) {
      const tasks = await Promise.all(Array.from({ length: 4 }, () => context.start(['sleep:600000'])));
      const cancelled = await Promise.all(tasks.map(({ taskId }) => context.cancel(taskId)));
      assert.deepEqual(
        cancelled.map(({ status }) => status),
        ['cancelled', 'cancelled', 'cancelled', 'cancelled'],
      );
    },
  },
  {
    name: 'cancelled around its own end: one of both, and it stays',
    async run(context) {
      const another = await context.openAnother();
      const race = async (delayMs: number) => {
        const { taskId } = await context.start(['out:up', 'sleep:60', 'exit:0']);
        await context.untilOutput(taskId, /up/);
        await delay(delayMs);
        const end = await context.cancel(taskId);
        assert.match(end.status, /^(completed|cancelled)$/);
        assert.deepEqual(await context.get(taskId, another), end);
        await delay(200);
        assert.deepEqual(await context.get(taskId), end);
      };
      await Promise.all([0, 20, 40, 60, 80, 100].map(race));
    },
  },
  {
    name: 'a wait and a read are answered by the cancel',
    async run(context) {
      const another = await context.openAnother();
      const { taskId } = await context.start(['out:up', 'sleep:600000']);
      await context.untilOutput(taskId, /up/);
      const waiting = context.untilEnded(taskId, another);
      const query = { offsetBytes: 3, maxBytes: 100, waitMs: 45_000 };
      const reading = another.readOutput(taskId, query, context.caller);
      const cancelled = await context.cancel(taskId);
      assert.deepEqual(await soon(waiting), cancelled);
      assert.equal((await soon(reading))?.task.status, 'cancelled');
    },
  },
  {
    name: 'close("cancel") ends the tasks of this backend, and no others',
    async run(context) {
      const another = await context.openAnother();
      const { taskId } = await context.start(['sleep:600000']);
      const other = await another.start(context.spec(['sleep:600000']), {}, context.caller);
      await another.close('cancel');
      assert.equal((await context.get(other.taskId)).status, 'cancelled');
      assert.equal((await context.get(taskId)).status, 'running');
    },
  },
  {
    name: 'close("keep") lets tasks run on, to their own end',
    skip: ({ survivesServer }) => (survivesServer ? undefined : 'tasks end with the server'),
    async run(context) {
      const another = await context.openAnother();
      const { taskId } = await another.start(context.spec(['sleep:500', 'exit:3']), {}, context.caller);
      await another.close('keep');
      const { status, exitCode } = await context.untilEnded(taskId);
      assert.deepEqual({ status, exitCode }, { status: 'failed', exitCode: 3 });
    },
  },
];
