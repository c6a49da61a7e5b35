import { expect, test } from 'vitest';

import { Agent, embedded } from './background.js';

test('a task has the values that the session gave, on every level of its path (B8.2)', async () => {
  const agent = await Agent.connect('v1', embedded({ sessionCache: 'auto' }));
  await agent.call('echo', { level: 'high', profile: 'night', background: false });
  const taskId = await agent.start('work_deeper_still');
  expect(await agent.ended(taskId)).toMatchObject({ status: 'completed' });
  expect(JSON.parse((await agent.page(taskId)).output!)).toEqual({
    level: 'high',
    profile: 'night',
    argv: ['--profile=night', 'work', 'deeper', 'still', '--level=high', '--'],
  });
});
