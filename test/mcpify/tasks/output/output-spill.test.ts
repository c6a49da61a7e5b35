import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { createEmbeddedBackend } from '../../../../packages/mcpify/src/tasks/embedded-backend.js';
import type {
  EmbeddedBackend,
  EmbeddedSettings,
} from '../../../../packages/mcpify/src/tasks/embedded-settings.js';
import { projectPath } from '../../../../packages/mcpify/src/tasks/project-folder.js';

const CALL = { toolName: 'cf_list', commandPath: ['cf', 'list'] };
const ANN = { owner: 'ann' };

let settings: EmbeddedSettings;
let backend: EmbeddedBackend;

beforeEach(() => {
  settings = {
    entry: '/srv/shop/dist/main.js',
    stateDir: join(mkdtempSync(join(tmpdir(), 'mcpify-spill-')), 'state'),
    maxConcurrentTasks: 4,
    maxQueuedTasks: 4,
    graceMs: 100,
    logCapBytes: 1_000_000,
    retentionDays: 7,
    maxFinished: 500,
    maxTotalBytes: 1_000_000_000,
  };
  backend = createEmbeddedBackend(settings);
});

afterEach(async () => {
  await backend.close('keep');
  rmSync(join(settings.stateDir!, '..'), { recursive: true });
});

function stored(): string[] {
  const path = projectPath(settings.entry, settings.stateDir);
  return existsSync(path) ? readdirSync(path).filter((name) => name !== 'open') : [];
}

test('the output of a call becomes a finished task of its caller, in the order of writing', async () => {
  const spill = backend.keepOutput(CALL, ANN);
  const sign = Buffer.from('€');
  spill.write('one\n');
  spill.write(sign.subarray(0, 1));
  spill.write(sign.subarray(1));
  spill.write('\ud83d');
  spill.write('\ude00');
  const task = await spill.finish({ exitCode: 0 });

  expect(task).toMatchObject({ ...CALL, status: 'completed', exitCode: 0, outputBytes: 11 });
  expect(await backend.get(task.taskId, ANN)).toEqual(task);
  expect(await backend.list(ANN)).toEqual([task]);
  expect(await backend.get(task.taskId, { owner: 'bob' })).toBeUndefined();
  expect(await backend.cancel(task.taskId, ANN)).toEqual(task);
  const page = await backend.readOutput(task.taskId, { offsetBytes: 4, maxBytes: 100, waitMs: 45_000 }, ANN);
  expect(page).toMatchObject({ task, text: '€😀', nextOffsetBytes: 11 });
});

test('one that failed says so', async () => {
  const spill = backend.keepOutput(CALL, {});
  const task = await spill.finish({ exitCode: 3 });
  expect(task).toMatchObject({ status: 'failed', exitCode: 3, outputBytes: 0 });
  expect(task.reason).toBeUndefined();
});

test('more than the cap: its end is kept, and the rest is counted', async () => {
  const spill = backend.keepOutput(CALL, ANN);
  const line = `${'x'.repeat(99)}\n`;
  for (let count = 0; count < 50_000; count += 1) spill.write(line);
  const { taskId, outputBytes } = await spill.finish({ exitCode: 0 });
  expect(outputBytes).toBe(5_000_000);
  const page = await backend.readOutput(taskId, { offsetBytes: 0, maxBytes: 100 }, ANN);
  expect(page!.truncatedBytes).toBeGreaterThanOrEqual(4_000_000);
  expect(page!.truncatedBytes).toBeLessThanOrEqual(4_600_000);
  expect(page!.text).toBe(line);
});

test('until its end nobody sees a task, and nobody but the user may read it', async () => {
  const umask = process.umask(0o777);
  try {
    const spill = backend.keepOutput(CALL, {});
    expect(stored()).toEqual([]);
    spill.write('x'.repeat(100_000));
    expect(stored()).toHaveLength(1);
    expect(await backend.list({})).toEqual([]);
    await spill.finish({ exitCode: 0 });
  } finally {
    process.umask(umask);
  }
  const [taskId] = stored();
  const path = join(projectPath(settings.entry, settings.stateDir), taskId!);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(path)) expect(statSync(join(path, name)).mode & 0o777).toBe(0o600);
});

test('what is discarded leaves nothing, and holds nothing open', async () => {
  const before = openFiles();
  const spill = backend.keepOutput(CALL, {});
  spill.write('x'.repeat(100_000));
  spill.discard();
  spill.write('x'.repeat(100_000));
  expect(stored()).toEqual([]);
  const kept = backend.keepOutput(CALL, {});
  kept.write('x'.repeat(100_000));
  await kept.finish({ exitCode: 0 });
  expect(openFiles()).toEqual(before);
});

test('where it cannot be stored, printing goes on and the end says so', async () => {
  writeFileSync(settings.stateDir!, '');
  const spill = backend.keepOutput(CALL, {});
  spill.write('x'.repeat(100_000));
  spill.write('x'.repeat(100_000));
  // What comes later could be stored, but would not be the whole.
  rmSync(settings.stateDir!);
  spill.write('x'.repeat(100_000));
  await expect(spill.finish({ exitCode: 0 })).rejects.toMatchObject({ name: 'TaskRefusedError' });
  expect(stored()).toEqual([]);
});

function openFiles(): string[] {
  return readdirSync('/proc/self/fd').sort();
}
