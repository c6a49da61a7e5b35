import { connectClient } from 'mcpify/testing';
import { expect, onTestFinished, test } from 'vitest';

import { toJson, toRegions } from './golden.js';
import { program } from './resources/program.js';

test('the requests of docs/resources.md', async () => {
  const client = await connectClient(program);
  onTestFinished(() => client.close());
  const read = async (uri: string) => {
    const { contents } = await client.readResource({ uri });
    return toJson({ contents });
  };
  const fail = async (uri: string) => {
    const error = await client.readResource({ uri }).catch((reason: unknown) => reason);
    const { code, message, data } = error as { code: number; message: string; data: unknown };
    return toJson({ code, message, data });
  };
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  const regions = {
    list: await toJson({ resources }),
    templates: await toJson({ resourceTemplates }),
    read: await read('notes://by-name/to%20do?head=1'),
    fails: await fail('notes://by-name/holidays'),
    wrong: await fail('notes://by-name/shopping?head=all'),
  };
  await expect(toRegions(regions)).toMatchFileSnapshot('resources/results.txt');
});
