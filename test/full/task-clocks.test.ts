import { readFileSync } from 'node:fs';

import { describe, expect } from 'vitest';

import { kill } from '../tasks/faults/census.js';
import { test, until } from '../tasks/faults/fault-place.js';

const DAY_MS = 86_400_000;

/** Node's flags for a process whose clock is wrong; its monotonic clock is not. */
function clockOff(byMs: number): string[] {
  const code = `const now = Date.now; Date.now = () => now() + ${byMs};
    globalThis.Date = class extends Date { constructor(...args) { super(...(args.length ? args : [Date.now()])); } };`;
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}

describe.each([
  ['a day ahead', DAY_MS],
  ['a day behind', -DAY_MS],
])('a server whose clock is %s', (_, byMs) => {
  test('fires no deadline early, and tells the true end', async ({ place }) => {
    const right = await place.server();
    const { taskId } = await right.start(place.spec('fault-command', ['3', '6000'], { timeoutMs: 60_000 }));
    await until(() => readFileSync(place.file(taskId, 'child.json')));
    // Nobody but the server with the wrong clock looks after it now.
    for (const supervisor of place.supervisors()) kill(supervisor);
    await right.server.kill();
    const wrong = await place.server({}, { nodeArgs: clockOff(byMs) });

    const running = await wrong.get(taskId);
    expect(running).toMatchObject({ status: 'running', phase: 'adopted' });
    expect(running!.elapsedMs).toBeGreaterThanOrEqual(0);
    const ended = await wrong.untilEnded(taskId);

    expect(ended).toMatchObject({ status: 'failed', exitCode: 3, evidence: 'witness' });
    expect(ended.elapsedMs).toBeGreaterThanOrEqual(0);
    expect(ended.elapsedMs).toBeLessThan(60_000);
  });
});

test('a stop as long as the deadline does not eat it: a sleep counts as two seconds at most', async ({
  place,
}) => {
  const server = await place.server();
  const { taskId } = await server.start(place.spec('fault-command', ['3', '1500'], { timeoutMs: 5_000 }));
  await until(() => readFileSync(place.file(taskId, 'child.json')));
  const everybody = [...place.supervisors(), ...place.members()];
  for (const each of everybody) kill(each, 'SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  for (const each of everybody) kill(each, 'SIGCONT');

  expect(await server.untilEnded(taskId)).toMatchObject({ status: 'failed', exitCode: 3 });
});
