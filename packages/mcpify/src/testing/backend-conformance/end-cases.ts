import assert from 'node:assert/strict';

import type { CaseDefinition } from './subject.js';

export const endCases: readonly CaseDefinition[] = [
  {
    name: 'exit code 0: completed',
    async run(context) {
      const { taskId } = await context.start(['out:done']);
      const { status, exitCode, reason, phase } = await context.untilEnded(taskId);
      assert.deepEqual(
        { status, exitCode, reason, phase },
        { status: 'completed', exitCode: 0, reason: undefined, phase: undefined },
      );
    },
  },
  {
    name: 'another exit code: failed, with that code',
    async run(context) {
      const { taskId } = await context.start(['err:broken', 'exit:3']);
      const { status, exitCode, reason } = await context.untilEnded(taskId);
      assert.deepEqual({ status, exitCode, reason }, { status: 'failed', exitCode: 3, reason: undefined });
      assert.equal(await context.readAll(taskId, 1_000), 'broken\n');
    },
  },
  {
    name: 'an exit code that is a normal result: completed, with that code',
    async run(context) {
      const { taskId } = await context.start(['exit:3'], { exitCodes: [1, 3] });
      const { status, exitCode } = await context.untilEnded(taskId);
      assert.deepEqual({ status, exitCode }, { status: 'completed', exitCode: 3 });
    },
  },
  {
    name: 'an end by a signal: failed, with its name and no exit code',
    skip: () => (process.platform === 'win32' ? 'Windows has no signals' : undefined),
    async run(context) {
      const { taskId } = await context.start(['signal:SIGKILL']);
      const { status, signal, exitCode } = await context.untilEnded(taskId);
      assert.deepEqual(
        { status, signal, exitCode },
        { status: 'failed', signal: 'SIGKILL', exitCode: undefined },
      );
    },
  },
  {
    name: 'an exception: failed, and the output tells of it',
    async run(context) {
      const { taskId } = await context.start(['throw:out of ink']);
      const { status, exitCode } = await context.untilEnded(taskId);
      assert.deepEqual({ status, exitCode }, { status: 'failed', exitCode: 1 });
      assert.match(await context.readAll(taskId, 100_000), /Error: out of ink/);
    },
  },
  {
    name: 'an ended task never changes, whoever asks and whatever is asked',
    async run(context) {
      const another = await context.openAnother();
      const { taskId } = await context.start(['out:done', 'exit:3']);
      const ended = await context.untilEnded(taskId);
      assert.ok(ended.endedAt !== undefined && ended.endedAt >= ended.createdAt, 'it ended after its start');
      assert.ok(ended.elapsedMs >= 0 && ended.elapsedMs < 60_000, 'its time stands still at the end');
      assert.equal(ended.outputBytes, 5);
      assert.deepEqual(await context.get(taskId), ended);
      assert.deepEqual(await context.get(taskId, another), ended);
      assert.deepEqual(await context.cancel(taskId), ended);
      assert.deepEqual(await context.cancel(taskId, another), ended);
      assert.deepEqual(await context.untilEnded(taskId, another), ended);
      assert.deepEqual(await context.get(taskId), ended);
    },
  },
];
