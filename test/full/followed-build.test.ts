import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { Agent, newFolder } from '../background/background.js';
import { connect } from '../wire/connect.js';

/*
 * An agent that follows a build as docs/tasks.md says. Ten minutes of it:
 *   MCPIFY_TEST_BUILD_MS=600000 node_modules/.bin/vitest run --config vitest.full.config.ts test/full/followed-build.test.ts
 */

const BUILD_MS = Number(process.env['MCPIFY_TEST_BUILD_MS'] ?? 20_000);
/** A minute, where the build takes ten. */
const BETWEEN_CALLS_MS = BUILD_MS / 10;
const LINES = 48 * 40 + 1;

test(
  'a build is followed with one call in a tenth of its time: no line is read twice, none is missed',
  { timeout: BUILD_MS * 2 + 60_000 },
  async () => {
    const server = await connect('v2 2026-07-28', 'test/full/fixtures/build/mcp.mjs', {
      env: { TEST_STATE_DIR: newFolder() },
    });
    const agent = new Agent(server);
    let nextCallMs = performance.now() + BETWEEN_CALLS_MS;
    const startedMs = performance.now();
    const taskId = await agent.start('build', { lasts: BUILD_MS });
    let calls = 0;
    let output = '';
    let offsetBytes = 0;
    let isFinished = false;
    while (!isFinished) {
      // An agent does something else meanwhile.
      await sleep(nextCallMs - performance.now());
      nextCallMs = performance.now() + BETWEEN_CALLS_MS;
      calls += 1;
      const page = await agent.page(taskId, { offsetBytes, maxBytes: 200_000, waitMs: 45_000 });
      output += page.output ?? '';
      ({ nextOffsetBytes: offsetBytes } = page);
      isFinished = page.text.includes('It is finished, and this is the end of its output.');
    }
    const tookMs = performance.now() - startedMs;
    console.log(`${calls} calls in ${Math.round(tookMs / 1_000)} s, ${output.length} characters`);

    const numbers = [...output.matchAll(/^\[(\d+)\] /gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: LINES }, (_, index) => index + 1));
    expect(output.split('\n')).toHaveLength(LINES + 1);
    expect(calls).toBeLessThanOrEqual(Math.floor(tookMs / BETWEEN_CALLS_MS));
    expect(await agent.status(taskId)).toMatchObject({ status: 'completed', exitCode: 0 });
  },
);
