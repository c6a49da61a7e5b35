import { expect, test } from 'vitest';

import { start } from '../start/start.js';
import { modernMeta } from '../wire/connect.js';

/* What the operator says of the server as a whole, in each way to ask. */

test('name, version and instructions are those of the settings', async () => {
  const settings = { name: 'till', version: '7.8.9', instructions: 'Ask before you sell.' };
  const facts = { serverInfo: { name: 'till', version: '7.8.9' }, instructions: 'Ask before you sell.' };
  const server = start({ settings });
  expect((await server.initialize()).result).toMatchObject(facts);
  const modern = start({ settings });
  const discovered = await modern.request('server/discover', { _meta: modernMeta() });
  expect(JSON.stringify(discovered.result)).toContain(JSON.stringify(facts.instructions));
  expect(JSON.stringify(discovered.result)).toContain('"name":"till","version":"7.8.9"');
});

test('there are no instructions unless they are set', async () => {
  expect((await start().initialize()).result).not.toHaveProperty('instructions');
});
