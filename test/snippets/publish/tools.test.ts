// #region golden
import { connectClient, toolListSnapshot } from 'mcpify/testing';
import { expect, test } from 'vitest';

import { program } from './program.js';

test('what clients see changes only on purpose', async () => {
  await expect(await toolListSnapshot(program)).toMatchFileSnapshot('tools.json');
});
// #endregion golden

// #region call
test('publishes as PDF', async () => {
  const client = await connectClient(program);
  const result = await client.callTool({ name: 'publish', arguments: { format: 'pdf', port: 8080 } });
  expect(result.content).toEqual([{ type: 'text', text: 'pdf on port 8080\n' }]);
  await client.close();
});
// #endregion call
