import { connectClient } from 'mcpify/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { showResult, toJson, toRegions } from './golden.js';
import { program } from './schema/program.js';

type Client = Awaited<ReturnType<typeof connectClient>>;

let client: Client;

beforeAll(async () => {
  client = await connectClient(program);
});

afterAll(() => client.close());

test('the schemas of the document', async () => {
  const { tools } = await client.listTools();
  const [copy, ...others] = tools;
  const regions: Record<string, string> = { copy: await toJson(copy) };
  for (const { name, inputSchema } of others) {
    if (name.startsWith('cache_')) continue;
    const { region: _, debug: __, nocache: ___, session: ____, ...properties } = inputSchema.properties ?? {};
    regions[name] = await toJson(properties);
  }
  await expect(toRegions(regions)).toMatchFileSnapshot('schema/schemas.txt');
});

test('what is accepted although it is not what the schema says', async () => {
  const sent = {
    files: 'a.txt',
    '--dry-run': 'true',
    '--no-verify': true,
    retries: '5',
    speed: null,
  };
  const { structuredContent } = await client.callTool({ name: 'copy', arguments: sent });
  expect(structuredContent).toEqual({
    files: ['a.txt'],
    dryRun: true,
    verify: false,
    retries: 5,
    speed: 'fast',
  });
  await expect(
    toRegions({ sent: await toJson(sent), ran: await toJson(structuredContent) }),
  ).toMatchFileSnapshot('schema/lenient.txt');
});

test('what is refused', async () => {
  const sent = { files: ['a.txt'], retries: 'many', speed: 'fasst', dryrun: true };
  const result = await client.callTool({ name: 'copy', arguments: sent });
  await expect(toRegions({ sent: JSON.stringify(sent), refused: showResult(result) })).toMatchFileSnapshot(
    'schema/refused.txt',
  );
});

test('pinned and default values', async () => {
  const limited = await connectClient(program, {
    pinnedValues: { region: 'south' },
    defaultValues: { out: 'backup' },
  });
  const { tools } = await limited.listTools();
  const values = tools.find(({ name }) => name === 'values');
  expect(values?.inputSchema.properties).not.toHaveProperty('region');
  expect(values?.inputSchema).not.toHaveProperty('required');
  const { structuredContent } = await limited.callTool({ name: 'values', arguments: {} });
  expect(structuredContent).toEqual({ out: 'backup' });
  await limited.close();
});
