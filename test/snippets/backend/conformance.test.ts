import { taskBackendConformance } from 'mcpify/testing';
import { test } from 'vitest';

import { openBackend } from './open-backend.js';

for (const { name, skip, run } of await taskBackendConformance({ open: openBackend })) {
  test.skipIf(skip).concurrent(name, { timeout: 60_000 }, run);
}
