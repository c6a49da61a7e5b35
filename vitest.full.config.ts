import { defineConfig } from 'vitest/config';

import { LONG_TESTS } from './vitest.long-tests.js';

/** `npm run test:full`: what takes minutes, or installs packages. */
export default defineConfig({
  test: {
    include: LONG_TESTS,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    retry: process.env['CI'] ? 1 : 0,
    fileParallelism: false,
    reporters: ['default', 'json'],
    outputFile: { json: process.env['MCPIFY_REPORT'] ?? '.reports/long.json' },
  },
});
