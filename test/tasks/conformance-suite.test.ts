import { taskBackendConformance } from 'mcpify/testing';
import { expect, test } from 'vitest';

import type { Caller, OutputQuery, Secrets, TaskSpec } from '../../packages/mcpify/src/tasks/task-backend.js';
import { MemoryBackend } from './memory-backend.js';

/* A suite that cannot fail proves nothing: each of these backends breaks one promise, and the case that holds it must
   see it. The same cases pass with the backend that breaks none. */

type Backend = typeof MemoryBackend;
type Store = ConstructorParameters<Backend>[0];

const BROKEN: readonly [promise: string, backend: Backend][] = [
  [
    'a started task is known at once, to every backend on the store',
    class extends MemoryBackend {
      constructor() {
        super(new Map());
      }
    },
  ],
  [
    'a process list shows the arguments that may be shown',
    class extends MemoryBackend {
      override start(spec: TaskSpec, { argv = spec.argv }: Secrets, caller: Caller) {
        return super.start({ ...spec, argv }, {}, caller);
      }
    },
  ],
  [
    'secret arguments reach the command, and nothing that is stored or shown',
    class extends MemoryBackend {
      override start(spec: TaskSpec, secrets: Secrets, caller: Caller) {
        return super.start(
          { ...spec, toolName: `${spec.toolName} ${secrets.argv?.join(' ')}` },
          secrets,
          caller,
        );
      }
    },
  ],
  [
    'an exit code that is a normal result: completed, with that code',
    class extends MemoryBackend {
      override start(spec: TaskSpec, secrets: Secrets, caller: Caller) {
        return super.start({ ...spec, exitCodes: [] }, secrets, caller);
      }
    },
  ],
  [
    'an ended task never changes, whoever asks and whatever is asked',
    class extends MemoryBackend {
      override async cancel(taskId: string, caller: Caller) {
        const task = await super.cancel(taskId, caller);
        return task && { ...task, status: 'cancelled' as const };
      }
    },
  ],
  [
    'pages of any size add up to the whole, and cut no character',
    class extends MemoryBackend {
      override async readOutput(taskId: string, query: OutputQuery, caller: Caller) {
        const whole = await super.readOutput(taskId, { ...query, maxBytes: 1_000_000 }, caller);
        const bytes = Buffer.from(whole?.text ?? '').subarray(0, query.maxBytes);
        return (
          whole && { ...whole, text: bytes.toString(), nextOffsetBytes: whole.offsetBytes + bytes.length }
        );
      }
    },
  ],
  [
    'the last lines, where no offset is given',
    class extends MemoryBackend {
      override readOutput(taskId: string, { offsetBytes = 0, ...query }: OutputQuery, caller: Caller) {
        return super.readOutput(taskId, { ...query, offsetBytes }, caller);
      }
    },
  ],
  [
    'a time longer than a timer can hold is not "at once"',
    class extends MemoryBackend {
      override start(spec: TaskSpec, secrets: Secrets, caller: Caller) {
        return super.start({ ...spec, timeoutMs: (spec.timeoutMs ?? 0) % 2 ** 31 }, secrets, caller);
      }
    },
  ],
  [
    'nobody of the process tree is left when a cancel has been answered',
    class extends MemoryBackend {
      override async cancel(taskId: string, caller: Caller) {
        void super.cancel(taskId, caller);
        const task = await super.get(taskId, caller);
        return task && { ...task, status: 'cancelled' as const };
      }
    },
  ],
  [
    'what a command leaves running is ended with it: leftovers "kill"',
    class extends MemoryBackend {
      override start(spec: TaskSpec, secrets: Secrets, caller: Caller) {
        return super.start({ ...spec, leftovers: 'keep' }, secrets, caller);
      }
    },
  ],
  [
    'close("cancel") ends the tasks of this backend, and no others',
    class extends MemoryBackend {
      override async close() {
        await Promise.all([...this.store.values()].map((task) => task.stop('cancelled')));
      }
    },
  ],
  [
    'a task of another owner cannot be told from one that never was',
    class extends MemoryBackend {
      override find(taskId: string) {
        return this.store.get(taskId);
      }
    },
  ],
  [
    'the list: own tasks only, the newest first, no more than asked for',
    class extends MemoryBackend {
      override async list(caller: Caller, options?: { limit?: number }) {
        return (await super.list(caller, options)).toReversed();
      }
    },
  ],
];

test.concurrent.for(BROKEN)('%s', async ([promise, Broken]) => {
  await expect(runOf(MemoryBackend, promise)).resolves.toBeUndefined();
  await expect(runOf(Broken, promise)).rejects.toThrow();
});

test('a case that does not apply says why', async () => {
  class Remote extends MemoryBackend {
    override readonly capabilities = {
      ...new MemoryBackend(new Map()).capabilities,
      remote: true,
      list: false,
    };
  }
  const cases = await taskBackendConformance({ open: () => new Remote(new Map()) });
  const skipped = cases.filter(({ skip }) => skip !== undefined);
  expect(new Set(skipped.map(({ skip }) => skip))).toEqual(
    new Set(['the processes are on another machine', 'has no list']),
  );
});

async function runOf(Backend: Backend, promise: string): Promise<void> {
  const store: Store = new Map();
  const cases = await taskBackendConformance({ open: () => new Backend(store) });
  const found = cases.find(({ name }) => name === promise);
  if (!found) throw new TypeError(`No such case: ${promise}`);
  await found.run();
}
