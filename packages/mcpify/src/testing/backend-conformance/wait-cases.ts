import assert from 'node:assert/strict';

import { soon, there } from './case-context.js';
import type { CaseDefinition } from './subject.js';

export const waitCases: readonly CaseDefinition[] = [
  {
    name: 'a wait is answered by the end of the task, for every backend on the store',
    async run(context) {
      const another = await context.openAnother();
      const { taskId } = await context.start(['sleep:300', 'exit:3']);
      const [ours, theirs] = await soon(
        Promise.all([context.untilEnded(taskId), context.untilEnded(taskId, another)]),
      );
      assert.equal(ours.exitCode, 3);
      assert.deepEqual(theirs, ours);
    },
  },
  {
    name: 'a wait is answered at once where the task has ended',
    async run(context) {
      const { taskId } = await context.start(['exit:3']);
      const ended = await context.untilEnded(taskId);
      assert.deepEqual(await soon(context.backend.wait(taskId, 45_000, context.caller)), ended);
    },
  },
  {
    name: 'a wait gives the running task back when its time is over',
    async run(context) {
      const { taskId } = await context.start(['sleep:600000']);
      for (const waitMs of [0, 50]) {
        const task = there(await soon(context.backend.wait(taskId, waitMs, context.caller)));
        assert.equal(task.status, 'running');
      }
    },
  },
  {
    name: 'a wait lets go when it is told to',
    async run(context) {
      const { taskId } = await context.start(['sleep:600000']);
      const stop = new AbortController();
      const waiting = context.backend.wait(taskId, 45_000, context.caller, stop.signal);
      stop.abort();
      await soon(Promise.allSettled([waiting]));
      const late = context.backend.wait(taskId, 45_000, context.caller, AbortSignal.abort());
      await soon(Promise.allSettled([late]));
    },
  },
];
