import assert from 'node:assert/strict';

import type { Caller, TaskBackend } from '../../tasks/task-backend.js';
import type { CaseContext } from './case-context.js';
import type { CaseDefinition } from './subject.js';

/** Ids that were never given out, and what somebody would try. */
const NO_IDS = [
  '',
  '.',
  '..',
  '../..',
  '/',
  'no-such-task',
  'constructor',
  '__proto__',
  'a\0b',
  'x'.repeat(5_000),
];

export const ownerCases: readonly CaseDefinition[] = [
  {
    name: 'a task of another owner cannot be told from one that never was',
    async run(context) {
      const { taskId } = await context.start(['out:up', 'sleep:600000']);
      await context.untilOutput(taskId, /up/);
      const stranger: Caller = { owner: 'conformance-stranger' };
      const foreign = await askAll(context, taskId, stranger);
      assert.deepEqual(foreign, [undefined, undefined, undefined, undefined]);
      assert.equal((await context.get(taskId)).status, 'running');
    },
  },
  {
    name: 'ids that were never given out are unknown, whatever they look like',
    async run(context) {
      const { taskId } = await context.start(['exit:0']);
      await context.untilEnded(taskId);
      const near = [
        `${taskId}x`,
        taskId.slice(0, -1),
        `${taskId}/.`,
        `../${taskId}`,
        `${taskId}/`,
        ` ${taskId}`,
      ];
      for (const id of [...NO_IDS, ...near]) {
        const answers = await askAll(context, id, context.caller);
        assert.deepEqual(
          answers,
          [undefined, undefined, undefined, undefined],
          JSON.stringify(id.slice(0, 50)),
        );
      }
    },
  },
  {
    name: 'a caller without an owner starts, reads and cancels its tasks',
    async run(context) {
      const { taskId } = await context.start(['out:up', 'sleep:600000'], { caller: {} });
      const another = await context.openAnother();
      assert.equal((await another.get(taskId, {}))?.taskId, taskId);
      assert.equal((await another.cancel(taskId, {}))?.status, 'cancelled');
    },
  },
  {
    name: 'the list: own tasks only, the newest first, no more than asked for',
    skip: ({ list }) => (list ? undefined : 'has no list'),
    async run(context) {
      const started: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        const { taskId } = await context.start(['exit:0']);
        started.unshift(taskId);
        await context.untilEnded(taskId);
      }
      const another = await context.openAnother();
      assert.deepEqual(await idsOf(another, context.caller), started);
      assert.deepEqual(await idsOf(context.backend, context.caller, 2), started.slice(0, 2));
      assert.deepEqual(await idsOf(another, { owner: 'conformance-nobody' }), []);
      const [newest] = await another.list(context.caller);
      assert.deepEqual(newest, await context.get(started[0] ?? ''));
    },
  },
];

/** All ways to ask after one task. */
function askAll({ backend }: CaseContext, taskId: string, caller: Caller): Promise<unknown[]> {
  return Promise.all([
    backend.get(taskId, caller),
    backend.readOutput(taskId, { offsetBytes: 0, maxBytes: 100 }, caller),
    backend.wait(taskId, 0, caller),
    backend.cancel(taskId, caller),
  ]);
}

async function idsOf(backend: TaskBackend, caller: Caller, limit?: number): Promise<string[]> {
  const tasks = await backend.list(caller, limit === undefined ? {} : { limit });
  return tasks.map(({ taskId }) => taskId);
}
