import { describe } from 'vitest';

import { test } from '../tasks/faults/fault-place.js';

/* Whom usual ways to end a task leave alive (K05). `sleep` runs so often when the tree stands. */
const VICTIMS: readonly [name: string, script: string, sleeping: number, ...traits: string[]][] = [
  ['a child', 'sleep 60 & wait', 1],
  ['a double fork', '(sh -c "sleep 60 & exec sleep 60" &); exec sleep 60', 3],
  ['a leader that is gone', 'sleep 60 & sleep 60 & exit', 2, 'stay'],
  ['setsid', 'setsid sleep 60 & wait', 1],
  [
    'nohup, setsid and double fork',
    '(setsid nohup sh -c "sleep 60 & exec sleep 60" &) >/dev/null 2>&1',
    2,
    'stay',
  ],
  [
    'the same with an empty environment',
    '(setsid nohup env -i sh -c "sleep 60 & exec sleep 60" 2>/dev/null &)',
    2,
    'stay',
  ],
  ['ignores SIGTERM', 'trap "" TERM; sleep 60 & wait', 1, 'stubborn', 'stay'],
  ['50 children', 'for i in $(seq 50); do sleep 60 & done; wait', 50],
  [
    '50 children that ignore SIGTERM, in sessions of their own',
    'trap "" TERM; for i in $(seq 50); do setsid sleep 60 & done; wait',
    50,
    'stubborn',
    'stay',
  ],
  ['holds the output', 'sleep 60 & echo hi; wait', 1],
];

describe.each(['cancel', 'deadline'] as const)('after the %s nobody is left of', (ending) => {
  test.concurrent.for(VICTIMS)('%s', async ([, script, sleeping, ...traits], { place, expect }) => {
    const server = await place.server({ graceMs: 150 });
    const timeoutMs = ending === 'deadline' ? 10_000 : undefined;
    const { taskId } = await server.start(place.spec('shell-command', [script, ...traits], { timeoutMs }));
    await place.untilSleeping(sleeping);

    const ended = ending === 'cancel' ? await server.cancel(taskId) : await server.untilEnded(taskId);

    expect(place.members()).toEqual([]);
    expect(ended?.status).toBe(ending === 'cancel' ? 'cancelled' : 'timeout');
  });
});
