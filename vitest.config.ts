import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

import { LONG_TESTS } from './vitest.long-tests.js';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...LONG_TESTS, '**/node_modules/**'],
    // Most of a test's time its processes are waited for: one worker a processor, not one less.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Who passes on the second try alone is named at the end of .ci/run (scripts/count-reports.mjs).
    retry: process.env['CI'] ? 1 : 0,
    reporters: ['default', 'json'],
    outputFile: { json: process.env['MCPIFY_REPORT'] ?? '.reports/test.json' },
  },
});
