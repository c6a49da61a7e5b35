import assert from 'node:assert/strict';

import { identify, stateOf, type ProcessIdentity } from '../../child-process/process-identity.js';
import type { TaskCapabilities } from '../../tasks/task-backend.js';
import type { CaseContext } from './case-context.js';
import type { CaseDefinition } from './subject.js';

const PLANT = ['tree:child', 'tree:detached', 'tree:stubborn', 'tree:orphan'];
const PIDS = /(?:pid \d+\n[\s\S]*){4}/;

export const treeCases: readonly CaseDefinition[] = [
  {
    name: 'nobody of the process tree is left when a cancel has been answered',
    skip: ifOutOfSight,
    async run(context) {
      const { taskId } = await context.start([...PLANT, 'stubborn', 'sleep:600000']);
      const planted = await plantedBy(context, taskId);
      assert.equal((await context.cancel(taskId)).status, 'cancelled');
      assertGone(planted);
    },
  },
  {
    name: 'nobody of the process tree is left after the deadline',
    skip: ifOutOfSight,
    async run(context) {
      const { taskId } = await context.start([...PLANT, 'sleep:600000'], { timeoutMs: 8_000 });
      const planted = await plantedBy(context, taskId);
      assert.equal((await context.untilEnded(taskId)).status, 'timeout');
      assertGone(planted);
    },
  },
  {
    name: 'what a command leaves running is ended with it: leftovers "kill"',
    skip: ifOutOfSight,
    async run(context) {
      const { taskId } = await context.start([...PLANT, 'sleep:300', 'exit:3']);
      const planted = await plantedBy(context, taskId);
      assert.equal((await context.untilEnded(taskId)).exitCode, 3);
      assertGone(planted);
    },
  },
  {
    name: 'what a command leaves running runs on: leftovers "keep"',
    skip: ifOutOfSight,
    async run(context) {
      const { taskId } = await context.start(['tree:detached', 'sleep:1000', 'exit:3'], {
        leftovers: 'keep',
      });
      const [planted] = await plantedBy(context, taskId, /pid \d+\n/);
      assert.equal((await context.untilEnded(taskId)).exitCode, 3);
      assert.ok(planted && stateOf(planted) === 'alive', 'it lives');
      process.kill(planted.pid, 'SIGKILL');
    },
  },
];

function ifOutOfSight({ remote }: TaskCapabilities): string | undefined {
  if (remote) return 'the processes are on another machine';
  return process.platform === 'win32' ? 'asks for POSIX processes' : undefined;
}

async function plantedBy(context: CaseContext, taskId: string, pattern = PIDS): Promise<ProcessIdentity[]> {
  const output = await context.untilOutput(taskId, pattern);
  return [...output.matchAll(/^pid (\d+)$/gm)].map(([, pid]) => {
    const identity = identify(Number(pid));
    assert.ok(identity, 'it runs');
    return identity;
  });
}

function assertGone(processes: readonly ProcessIdentity[]): void {
  const left = processes.filter((each) => stateOf(each) !== 'gone');
  // The suite leaves nobody behind, whatever the backend does.
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  assert.deepEqual(left, [], 'nobody is left');
}
