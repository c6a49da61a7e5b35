import { beforeAll, describe, expect, test } from 'vitest';

import { modernMeta, startServer, type RawServer } from '../wire/connect.js';

/* Commands marked McpResource, read by raw lines in both eras. */

const ENTRY = 'test/fixtures/resources/mcp.mjs';

describe.each([
  ['with a handshake', undefined],
  ['2026-07-28', modernMeta()],
])('%s', (_, meta) => {
  let server: RawServer;

  beforeAll(async () => {
    server = startServer(ENTRY);
    if (!meta) await server.initialize();
  });

  const ask = (method: string, params: Record<string, unknown> = {}) =>
    server.request(method, {
      ...params,
      ...(meta && { _meta: { ...meta, ...(params['_meta'] as object) } }),
    });
  const read = (uri: string) => ask('resources/read', { uri });
  const contentsOf = async (uri: string) => (await read(uri)).result?.['contents'];

  test('what has no variables is listed, in the order of declaration', async () => {
    const { resources } = (await ask('resources/list')).result!;
    expect(resources.slice(0, 3)).toEqual([
      {
        uri: 'notes://all',
        name: 'all',
        title: 'All notes',
        description: 'Gives all.',
        mimeType: 'text/markdown',
      },
      {
        uri: 'notes://printed',
        name: 'printed',
        description: 'Gives printed.',
        mimeType: 'application/json',
      },
      { uri: 'notes://list', name: 'list', description: 'Gives list.' },
    ]);
  });

  test('what has variables is a template; there is none of tasks without tasks', async () => {
    const { resourceTemplates } = (await ask('resources/templates/list')).result!;
    expect(resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate)).toEqual([
      'notes://note/{name}',
      'notes://files/{+path}',
      'notes://search/{words}{?limit,deep,tag}',
      'notes://find{?tag,author}',
      'notes://fail/{why}',
      'notes://even/{n}',
      'notes://much/{bytes}',
      'notes://secrets/{name}',
      'notes://alone/{name}',
      'notes://overlap/{name}',
    ]);
  });

  test('they are tools as before', async () => {
    const { result } = await ask('tools/call', { name: 'all' });
    expect(result?.['content'][0].text).toContain('[stderr]\nreading the folder');
  });

  test.each([
    ['text of the author’s type, without stderr', 'notes://all', 'text/markdown', '# All\n'],
    ['text', 'notes://note/x', 'text/plain', 'note "x"'],
    ['an object that is printed', 'notes://printed', 'application/json', '{"a":1}\n'],
    ['a list that is returned, without what is printed', 'notes://list', 'application/json', '["a","b"]'],
    ['nothing', 'notes://empty', 'text/plain', ''],
    ['a result by an exit code of its own', 'notes://changed', 'text/plain', '3 changed\n'],
    ['a process of its own', 'notes://alone/x', 'text/plain', 'alone x true\n'],
    ['a caller who is not known', 'notes://whoami', 'text/plain', 'nobody true\n'],
  ])('%s: %s', async (_title, uri, mimeType, text) => {
    expect(await contentsOf(uri)).toEqual([{ uri, mimeType, text }]);
  });

  test('images are blobs, resources stay what they are, a link is a list of links', async () => {
    const uri = 'notes://picture';
    expect(await contentsOf(uri)).toEqual([
      { uri, mimeType: 'text/plain', text: 'a pixel\n' },
      { uri, mimeType: 'image/png', blob: expect.stringMatching(/^iVBORw0KGgo/) },
      { uri: 'notes://other', mimeType: 'text/html', text: '<p>' },
      { uri, mimeType: 'text/uri-list', text: 'https://notes.example/\n' },
    ]);
  });

  test.each([
    ['notes://note/a%2Fb%20c%3F%23%25', 'a/b c?#%'],
    ['notes://note/..%2F..%2Fetc%2Fpasswd', '../../etc/passwd'],
    ['notes://note/..', '..'],
    ['notes://note/%C3%A4%E2%82%AC', 'ä€'],
    ['notes://note/ä€', 'ä€'],
    ['notes://note/a+b', 'a+b'],
    ['notes://note/a%2Cb', 'a,b'],
    ['notes://note/%7Bname%7D', '{name}'],
    ['notes://note/--upper', '--upper'],
    ['notes://note/-x%0Ay', '-x\ny'],
    ['notes://note/constructor', 'constructor'],
    ['NOTES://note/x', 'x'],
  ])('%s gives the command %j', async (uri, name) => {
    expect((await contentsOf(uri))[0].text).toBe(`note ${JSON.stringify(name)}`);
  });

  test.each([
    ['notes://files/a/b/../c', 'a/b/../c'],
    ['notes://files//etc/passwd', '/etc/passwd'],
    ['notes://files/a%2Fb,c', 'a/b,c'],
  ])('%s has several segments: %s', async (uri, path) => {
    expect((await contentsOf(uri))[0].text).toBe(`${path}\n`);
  });

  test.each([
    ['', { limit: 10, deep: false, tag: [] }],
    ['?limit=3', { limit: 3, deep: false, tag: [] }],
    ['?deep=true&limit=-0.5', { limit: -0.5, deep: true, tag: [] }],
    ['?tag=a%26b&', { limit: 10, deep: false, tag: ['a&b'] }],
    ['?tag=%5B%22a%22,%22b%22%5D', { limit: 10, deep: false, tag: ['a', 'b'] }],
    ['?tag=a=b', { limit: 10, deep: false, tag: ['a=b'] }],
  ])('variables of a query may be left out, in any order: %s', async (query, rest) => {
    const [{ text }] = await contentsOf(`notes://search/w${query}`);
    expect(JSON.parse(text)).toEqual({ words: 'w', ...rest });
  });

  test.each([
    'notes://nope',
    'notes:',
    '',
    'notes://note/',
    'notes://note/a/b',
    'notes://note/%',
    'notes://note/%C3',
    'notes://note/x?upper=true',
    'notes://note/x#y',
    'notes://all?',
    'notes://all/',
    'notes://search/w?limit=3&limit=4',
    'notes://search/w?debug=true',
    'notes://search/w?__proto__=1',
    ' notes://all',
    'mcpify://tasks/t/log',
    'file:///etc/passwd',
  ])('no such resource: %j', async (uri) => {
    const { error } = await read(uri);
    expect(error).toMatchObject({ code: -32_602, data: { uri } });
    expect(error?.message).toMatch(/^Resource not found: .*resources\/list/);
  });

  test('a uri is no way to send much', async () => {
    const uri = `notes://note/${'x'.repeat(10_000)}`;
    expect((await read(uri)).error).toMatchObject({ code: -32_602, data: { uri: uri.slice(0, 200) } });
  });

  test.each([
    ['notes://search/w?limit=ten', /"limit" must be a number; you sent "ten"/],
    ['notes://search/w?deep=yes', /"deep" must be/],
    ['notes://even/3', /Not even/],
  ])('values that the command does not take: %s', async (uri, message) => {
    const { error } = await read(uri);
    expect(error).toMatchObject({ code: -32_602, data: { uri } });
    expect(error?.message).toMatch(message);
  });

  test.each([
    ['', /^The uri lacks tag=…&author=… in its query: .*\. Uris are notes:\/\/find\{\?tag,author\}\.$/],
    ['?tag=a', /^The uri lacks author=… in its query: /],
  ])('a variable of the query that the command needs is named: %j', async (query, message) => {
    const uri = `notes://find${query}`;
    const { error } = await read(uri);
    expect(error).toMatchObject({ code: -32_602, data: { uri } });
    expect(error?.message).toMatch(message);
  });

  test('a command that fails is an error that says why, without secrets', async () => {
    const uri = 'notes://fail/because';
    const { error } = await read(uri);
    expect(error).toMatchObject({ code: -32_603, data: { uri } });
    expect(error?.message).toBe('begun\n[stderr]\ncannot: because ***\n[exit code 4] The command failed.');
  });

  test('a command that asks is told that nobody answers', async () => {
    const { error } = await read('notes://ask');
    expect(error).toMatchObject({ code: -32_603, message: expect.stringContaining('ask') });
  });

  test('a long text is cut, and says where', async () => {
    const [{ text }] = await contentsOf('notes://much/300000');
    expect(text.length).toBeLessThan(110_000);
    expect(text).toMatch(/\[… \d+ of 300001 bytes of output left out here …\]/);
  });

  test('progress is told to whom asked for it', async () => {
    await ask('resources/read', { uri: 'notes://progress', _meta: { progressToken: 'p' } });
    expect(await server.message(({ method }) => method === 'notifications/progress')).toMatchObject({
      params: { progressToken: 'p', progress: 1, total: 2, message: 'half' },
    });
  });

  test('reads at the same time keep to themselves', async () => {
    const names = Array.from({ length: 50 }, (_, at) => `n${at}`);
    const all = await Promise.all(names.map((name) => contentsOf(`notes://overlap/${name}`)));
    expect(all.map(([{ text }]) => text)).toEqual(names.map((name) => `begin ${name}\nend ${name}\n`));
  });

  test('one that is cancelled gets no answer, and its command hears of it', async () => {
    const token = `linger${meta ? 2 : 1}`;
    server.send({
      jsonrpc: '2.0',
      id: token,
      method: 'resources/read',
      params: { uri: 'notes://linger', _meta: { ...meta, progressToken: token } },
    });
    await server.message(({ params }) => params?.['progressToken'] === token);
    server.notify('notifications/cancelled', { requestId: token, ...(meta && { _meta: meta }) });
    await contentsOf('notes://cancelled');
    expect(server.messages.filter(({ id }) => id === token)).toEqual([]);
  });
});

test.concurrent('nothing is taken from the session, and nothing is given to it', async () => {
  const server = startServer(ENTRY);
  await server.initialize();
  const read = async (uri: string) =>
    JSON.parse((await server.request('resources/read', { uri })).result?.['contents'][0].text);
  const call = async (toolArguments: object) =>
    (await server.request('tools/call', { name: 'search', arguments: toolArguments })).result!;
  await call({ words: 'w', limit: 5 });
  expect(await read('notes://search/w')).toMatchObject({ limit: 10 });
  await read('notes://search/w?limit=7');
  expect((await call({ words: 'w' }))['structuredContent']).toMatchObject({ limit: 5 });
});

test.concurrent('settings of the operator hold: values, time limit, root', async () => {
  const settings = {
    pinnedValues: { upper: true },
    defaultValues: { limit: 2 },
    callTimeoutMs: 300,
    root: 'test/fixtures/resources',
  };
  const server = startServer(ENTRY, { env: { SETTINGS: JSON.stringify(settings) } });
  await server.initialize();
  const read = (uri: string) => server.request('resources/read', { uri });
  expect((await read('notes://note/x')).result?.['contents'][0].text).toBe('note "X"');
  expect((await read('notes://search/w')).result?.['contents'][0].text).toContain('"limit":2');
  expect((await read('notes://slow')).error).toMatchObject({
    code: -32_603,
    message: expect.stringMatching(/^Timed out.*300 ms/),
  });
  for (const path of ['..%2F..%2Fetc%2Fpasswd', '/etc/passwd', '../x']) {
    expect((await read(`notes://files/${path}`)).error).toMatchObject({ code: -32_602 });
  }
});

test.concurrent('with tasks their logs come behind, and their template', async () => {
  const server = startServer(ENTRY, { env: { WITH_TASKS: '1' } });
  await server.initialize();
  const { taskId } = (await server.request('tools/call', { name: 'print', arguments: { text: 'done' } }))
    .result!['structuredContent'];
  await server.request('tools/call', { name: 'task_status', arguments: { taskId, waitMs: 45_000 } });
  const { resources } = (await server.request('resources/list')).result!;
  expect(resources[0].uri).toBe('notes://all');
  const last = resources.at(-1);
  expect(last).toMatchObject({ name: taskId });
  const { contents } = (await server.request('resources/read', { uri: last.uri })).result!;
  expect(contents[0].text).toMatch(/^done$/m);
  const { resourceTemplates } = (await server.request('resources/templates/list')).result!;
  expect(resourceTemplates.at(-1).uriTemplate).toBe('mcpify://tasks/{taskId}/log');
  const cut = (await server.request('resources/read', { uri: 'notes://much/300000' })).result!;
  const next = /task_result (\{.*\}) …\]/.exec(cut['contents'][0].text);
  expect(JSON.parse(next![1]!)).toMatchObject({ taskId: expect.stringMatching(/^t/) });
});
