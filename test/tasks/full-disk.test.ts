import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect } from 'vitest';

import { test, until, type FaultPlace } from './faults/fault-place.js';

/** The store lies in a file system of its own, of so many KiB. */
function mountStore(place: FaultPlace, kibibytes: number): void {
  mkdirSync(place.stateDir);
  mount(place.stateDir, kibibytes);
  place.beforeRemoval = () => execFileSync('umount', [place.stateDir], { stdio: 'pipe' });
}

function mount(folder: string, kibibytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k,mode=700`, 'tmpfs', folder], {
    stdio: 'pipe',
  });
}

/** Takes all space that is left. @returns gives it back */
function fill(place: FaultPlace): () => void {
  const file = join(place.stateDir, 'filling');
  for (const size of [65_536, 4_096, 512, 1]) {
    try {
      for (;;) appendFileSync(file, 'x'.repeat(size));
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    }
  }
  return () => rmSync(file);
}

const canMount = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpify-mount-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
  if (status === 0) execFileSync('umount', [folder]);
  rmdirSync(folder);
  return status === 0;
})();

describe.skipIf(!canMount)(
  `a full disk${canMount ? '' : ' (this process may not mount a small one)'}`,
  () => {
    test('a start is refused, leaves nothing, and is possible again when there is space', async ({
      place,
    }) => {
      mountStore(place, 256);
      const server = await place.server();
      const { taskId } = await server.start(place.spec('fault-command', ['0', '0']));
      await server.untilEnded(taskId);
      const empty = fill(place);

      await expect(server.start(place.spec('fault-command', ['3', '0']))).rejects.toMatchObject({
        name: 'TaskRefusedError',
        message: expect.stringContaining('ENOSPC'),
      });

      expect((await server.list()).map((task) => task.taskId)).toEqual([taskId]);
      empty();
      const { taskId: later } = await server.start(place.spec('fault-command', ['3', '0']));
      expect(await server.untilEnded(later)).toMatchObject({ exitCode: 3 });
    });

    test('loses no exit code', async ({ place }) => {
      mountStore(place, 256);
      const server = await place.server();
      // It prints nothing: a command that cannot would fail for another reason.
      const { taskId } = await server.start(place.spec('shell-command', ['sleep 1.5; exit 3']));
      await until(() => readFileSync(place.file(taskId, 'child.json')));
      fill(place);

      expect(await server.untilEnded(taskId)).toMatchObject({
        status: 'failed',
        exitCode: 3,
        evidence: 'supervisor',
      });

      await server.server.kill();
      expect(await (await place.server()).get(taskId)).toMatchObject({ status: 'failed', exitCode: 3 });
    });

    test('keeps no task from being cancelled', async ({ place }) => {
      mountStore(place, 256);
      const server = await place.server();
      const script = 'sleep 600 & setsid sleep 600 & wait';
      const { taskId } = await server.start(place.spec('shell-command', [script]));
      await place.untilSleeping(2);
      fill(place);

      expect(await server.cancel(taskId)).toMatchObject({ status: 'cancelled' });

      expect(place.members()).toEqual([]);
      expect(await (await place.server()).get(taskId)).toMatchObject({ status: 'cancelled' });
    });

    test('keeps no deadline from passing', async ({ place }) => {
      mountStore(place, 256);
      const server = await place.server();
      const script = 'trap "" TERM; sleep 600 & wait; sleep 600';
      const spec = place.spec('shell-command', [script, 'stubborn'], { timeoutMs: 3_000 });
      const { taskId } = await server.start(spec);
      await until(() => readFileSync(place.file(taskId, 'child.json')));
      fill(place);

      expect(await server.untilEnded(taskId)).toMatchObject({ status: 'timeout' });

      expect(place.members()).toEqual([]);
    });

    test('that the command itself has filled: its exit code is the true one', async ({ place }) => {
      mountStore(place, 256);
      const server = await place.server();
      const script = 'head -c 10000000 /dev/zero; exit 3';
      const { taskId } = await server.start(place.spec('shell-command', [script]));

      const ended = await server.untilEnded(taskId);

      expect(ended).toMatchObject({ status: 'failed', exitCode: 3 });
      expect(ended.outputBytes).toBeGreaterThan(100_000);
    });
  },
);
