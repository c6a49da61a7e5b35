import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readExit } from '../../packages/mcpify/src/tasks/read-records.js';
import { recordExit, reserveExit } from '../../packages/mcpify/src/tasks/record-exit.js';
import { taskFolder } from '../../packages/mcpify/src/tasks/task-folder.js';

test('an exit code is recorded on a disk without a free byte', async ({ skip }) => {
  const disk = mkdtempSync(join(tmpdir(), 'mcpify-disk-'));
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]);
  if (mount.status !== 0) {
    rmSync(disk, { recursive: true });
    skip('this user may not mount a small disk');
  }
  try {
    const folder = taskFolder(disk, 'task');
    mkdirSync(folder.path);
    await reserveExit(folder);
    const fill = () => {
      for (;;) appendFileSync(join(disk, 'full'), 'x'.repeat(512));
    };
    expect(fill).toThrow('ENOSPC');
    const exit = {
      status: 'failed',
      exitCode: 3,
      evidence: 'supervisor',
      endedAt: '2026-03-01T12:00:00.000Z',
    } as const;
    await recordExit(folder, exit);
    expect(await readExit(folder)).toEqual(exit);
  } finally {
    spawnSync('umount', [disk]);
    rmSync(disk, { recursive: true });
  }
});
