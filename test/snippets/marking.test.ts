import * as markers from '@mcpify/markers';
import { connectClient } from 'mcpify/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { REPOSITORY } from '../wire/connect.js';
import { program as decorated } from './marking/decorators.js';
import { program as marked } from './marking/functions.js';
import { program as trapped } from './marking/trap.js';

const document = readFileSync(join(REPOSITORY, 'docs/marking.md'), 'utf8');

test('marks as functions', async () => {
  const client = await connectClient(marked);
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools).toMatchObject([
    { name: 'list', title: 'List articles', annotations: { readOnlyHint: true, destructiveHint: false } },
    {
      name: 'order_article',
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    },
  ]);
});

test('marks as decorators', async () => {
  const client = await connectClient(decorated);
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools).toMatchObject([
    {
      name: 'remove',
      description: 'Removes an article from the shop for good.',
      annotations: { title: 'Remove an article', destructiveHint: true, idempotentHint: true },
    },
  ]);
});

test('the mark that falls on the parent is refused in these words', async () => {
  const error = await connectClient(trapped).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'MARK_ON_GROUP' });
  await expect(`${(error as Error).message}\n`).toMatchFileSnapshot('marking/trap.txt');
});

test.each(Object.keys(markers))('the document tells of %s', (name) => {
  expect(document).toContain(`\`${name}`);
});
