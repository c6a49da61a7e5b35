import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { closeIdleWhenClosed } from '../../../packages/mcpify/src/serving/http/close-idle.js';

test('a server that is closed ends with the answer in flight, whatever its client keeps open', async () => {
  // Longer than this test may last.
  const server = createServer({ keepAliveTimeout: 600_000 });
  closeIdleWhenClosed(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const arrived = once(server, 'request') as Promise<[unknown, ServerResponse]>;
  const answer = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [, response] = await arrived;
  const closed = once(server, 'close');
  server.close();
  response.end('last');
  expect(await (await answer).text()).toBe('last');
  await closed;
});
