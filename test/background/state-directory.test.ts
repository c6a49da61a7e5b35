import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { connect } from '../wire/connect.js';
import { Agent, ENTRY, newFolder } from './background.js';

/* Where tasks lie: with their user, never in the project (K28, decision 9). */

const entry = join(import.meta.dirname, '../..', ENTRY);

async function runOneTask(env: Record<string, string>, cwd: string): Promise<void> {
  const agent = new Agent(await connect('v1', entry, { env, cwd }));
  const taskId = await agent.start('echo', { words: ['a'] });
  expect(await agent.ended(taskId)).toMatchObject({ status: 'completed' });
  await agent.client.close();
}

describe('the folder of a task', () => {
  test('is in the state directory of the user', async () => {
    const [state, project] = [newFolder(), newFolder()];
    await runOneTask({ XDG_STATE_HOME: state }, project);
    const [folder] = readdirSync(join(state, 'mcpify'));
    expect(readdirSync(join(state, 'mcpify', folder!)).length).toBeGreaterThan(0);
    expect(readdirSync(project)).toEqual([]);
  });

  test('is in another where the setting says so', async () => {
    const [state, stateDir, project] = [newFolder(), newFolder(), newFolder()];
    await runOneTask({ XDG_STATE_HOME: state, TEST_OPTIONS: JSON.stringify({ stateDir }) }, project);
    expect(readdirSync(stateDir)).toHaveLength(1);
    expect(readdirSync(state)).toEqual([]);
    expect(readdirSync(project)).toEqual([]);
  });
});
