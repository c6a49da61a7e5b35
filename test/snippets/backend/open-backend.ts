import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createEmbeddedBackend, type EmbeddedBackend } from 'mcpify/tasks';
import { afterAll } from 'vitest';

const stateDir = mkdtempSync(join(tmpdir(), 'mcpify-conformance-'));
afterAll(() => rmSync(stateDir, { recursive: true }));

export function openBackend(): EmbeddedBackend {
  return createEmbeddedBackend({
    entry: import.meta.filename,
    stateDir,
    maxConcurrentTasks: 16,
    maxQueuedTasks: 256,
    graceMs: 500,
    logCapBytes: 64 * 1024 * 1024,
    retentionDays: 7,
    maxFinished: 500,
    maxTotalBytes: 1024 ** 3,
  });
}
