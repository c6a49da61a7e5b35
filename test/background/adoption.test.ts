import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test, vi } from 'vitest';

import { startServer } from '../wire/connect.js';
import { ENTRY, newFolder } from './background.js';

const FOLDER = newFolder();
const ENV = { TEST_OPTIONS: JSON.stringify({ stateDir: join(FOLDER, 'state') }) };
const LIMITS = { timeout: 25_000, interval: 50 };

test('a server that is not called looks after the tasks of one that was killed', async () => {
  const first = startServer(ENTRY, { env: ENV });
  await first.initialize();
  const file = join(FOLDER, 'started');
  await first.request('tools/call', { name: 'limited', arguments: { file } });
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), LIMITS);
  const folder = taskFolder();
  const { supervisor } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
  process.kill(supervisor.pid, 'SIGKILL');
  await first.close();

  const next = startServer(ENTRY, { env: ENV });
  await next.initialize();

  // Its deadline has passed.
  await vi.waitFor(() => expect(existsSync(join(folder, 'exit.json'))).toBe(true), LIMITS);
  expect(JSON.parse(readFileSync(join(folder, 'exit.json'), 'utf8'))).toMatchObject({ status: 'timeout' });
  await next.endInput();
});

function taskFolder(): string {
  const state = join(FOLDER, 'state');
  const [project = ''] = readdirSync(state);
  const [taskId = ''] = readdirSync(join(state, project)).filter((name) => name !== 'open');
  return join(state, project, taskId);
}
