import { expect, test } from 'vitest';

import { nameTaken } from '../../../packages/mcpify/src/serving/attach/register-all.js';

test.each([
  ['print', /Give the command another name/, /sessionCache/],
  ['cache_show', /one program with both as its subcommands.*sessionCache: 'off'/, /another name/],
  ['task_status', /one program with both as its subcommands/, /another name/],
])('a server that has a tool %s already: a way out that can be gone', (name, said, unsaid) => {
  const { code, message } = nameTaken(name);
  expect(code).toBe('DUPLICATE_TOOL');
  expect(message).toMatch(said);
  expect(message).not.toMatch(unsaid);
});
