import { statSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import { NOBODY, test, until } from './engine-place.js';

test('the log of a run without a supervisor is capped by a server that lives', async ({ place }) => {
  const capBytes = 100_000;
  const backend = place.backend({ logCapBytes: capBytes });
  place.backend({ logCapBytes: capBytes });
  const argv = ['write=runs', 'until=go', `flood=${4 * capBytes}`, 'write=flooded', 'wait=60000'];
  const { taskId } = await backend.start(place.spec(argv), {}, NOBODY);
  await place.untilThere('runs');
  process.kill(await place.supervisorOf(taskId), 'SIGKILL');
  await until(async () => (await backend.get(taskId, NOBODY))?.phase === 'adopted' || undefined);
  place.write('go');
  await place.untilThere('flooded');

  await until(() => statSync(join(place.folderOf(taskId), 'log')).size < capBytes || undefined);

  // Not a byte of the output is lost count of.
  const task = await backend.get(taskId, NOBODY);
  expect(task).toMatchObject({ status: 'running', phase: 'adopted', outputBytes: 4 * capBytes });
});
