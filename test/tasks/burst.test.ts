import { expect } from 'vitest';

import { NOBODY, test } from './engine-place.js';

/*
 * How long it takes and how long the event loop stands still meanwhile is measured elsewhere; here: nobody waits for
 * anybody's end, and no more run at once than may.
 */
test('200 starts at once: each has its id before any task has ended, and the limit holds', async ({
  place,
}) => {
  const backend = place.backend({ maxConcurrentTasks: 2, maxQueuedTasks: 256 });
  const spec = place.spec(['wait=600000']);

  const tasks = await Promise.all(Array.from({ length: 200 }, () => backend.start(spec, {}, NOBODY)));

  expect(new Set(tasks.map(({ taskId }) => taskId)).size).toBe(200);
  const listed = await backend.list(NOBODY, { limit: 500 });
  expect(listed.map(({ status }) => status)).toEqual(Array.from({ length: 200 }, () => 'running'));
  expect(listed.filter(({ phase }) => phase === 'queued')).toHaveLength(198);

  await backend.close('cancel');
  const ended = await place.backend().list(NOBODY, { limit: 500 });
  expect(ended.every(({ status }) => status === 'cancelled')).toBe(true);
  expect(place.living()).toEqual([]);
});
