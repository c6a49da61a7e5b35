import { describeOption, exposeAsTool, McpInputSchema } from '@mcpify/markers';
import { Command, Option } from 'commander';
import type { McpOptions } from 'mcpify';
import { connectClient } from 'mcpify/testing';
import { describe, expect, onTestFinished, test } from 'vitest';

// @ts-expect-error a fixture without types
import { program } from '../fixtures/session/program.mjs';

/* Which values enter the session, which leave it again, and which win (B7, K33). */

interface Result {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: any;
}

async function connect(options: McpOptions & { era?: 'legacy' | '2026-07-28' } = {}) {
  const client = await connectClient(program, options);
  onTestFinished(() => client.close());
  return {
    async call(name: string, toolArguments: Record<string, unknown> = {}): Promise<Result> {
      const result = await client.callTool({ name, arguments: toolArguments });
      const blocks = result.content as readonly { readonly text: string }[];
      return {
        text: blocks.map(({ text }) => text).join('\n'),
        isError: result.isError === true,
        structured: result.structuredContent,
      };
    },
    async remembered(): Promise<Record<string, unknown>> {
      const { structured } = await this.call('cache_show');
      return Object.fromEntries(
        (structured?.values ?? []).map(({ name, value }: { name: string; value: unknown }) => [name, value]),
      );
    },
    list: async () => (await client.listTools()).tools,
  };
}

describe('what enters the session', () => {
  test('values that the call gives, as they were read', async () => {
    const client = await connect();
    await client.call('check', { '--connection': 'a', jobs: '4', tag: 'x' });
    expect(await client.remembered()).toEqual({ connection: 'a', jobs: 4, tag: ['x'] });
  });

  test('a command that fails keeps them (B7.2)', async () => {
    const client = await connect();
    expect((await client.call('fail', { connection: 'a' })).isError).toBe(true);
    expect(await client.remembered()).toEqual({ connection: 'a' });
  });

  test('the empty text; null changes nothing', async () => {
    const client = await connect();
    await client.call('create', { connection: 'a', template: 'shop' });
    await client.call('create', { connection: '', template: null });
    expect(await client.remembered()).toEqual({ template: 'shop', connection: '' });
    expect((await client.call('create')).structured).toEqual({ connection: '', template: 'shop' });
  });

  test('nothing of a call that is refused, be it one parameter only', async () => {
    const client = await connect();
    await client.call('check', { connection: 'a', jobs: 'many' });
    await client.call('check', { connection: 'a', unknown: 1 });
    expect(await client.remembered()).toEqual({});
  });

  test('nor of one that commander refuses: what was there before stays', async () => {
    const client = await connect();
    await client.call('create', { connection: 'before' });
    const refused = await client.call('import', { connection: 'a', file: 'b.txt' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('cannot be used with') });
    expect(await client.remembered()).toEqual({ connection: 'before' });
  });

  test('no positional, flag, secret, value of the environment or of the operator, and no control parameter', async () => {
    process.env['DEPOT_REGION'] = 'north';
    onTestFinished(() => void delete process.env['DEPOT_REGION']);
    const client = await connect({ defaultValues: { template: 'standard' } });
    await client.call('create', { connection: 'a', name: 'main', debug: true });
    await client.call('check', { force: true });
    const { structured } = await client.call('import', { token: 's3cret' });
    expect(structured).toEqual({ connection: 'a', token: '***', region: 'north' });
    expect(await client.remembered()).toEqual({ connection: 'a' });
    expect((await client.call('import')).structured).toEqual({ connection: 'a', region: 'north' });
  });

  test('no value longer than 10,000 characters: what was there before is forgotten', async () => {
    const client = await connect();
    await client.call('create', { connection: 'a' });
    const long = 'x'.repeat(10_001);
    expect((await client.call('create', { connection: long })).structured.connection).toBe(long);
    expect(await client.remembered()).toEqual({});
  });
});

describe('which value wins (decision 7)', () => {
  test('call, then session, then the operator’s default', async () => {
    const client = await connect({ defaultValues: { connection: 'default' } });
    expect((await client.call('create')).structured).toEqual({ connection: 'default' });
    await client.call('create', { connection: 'said' });
    expect((await client.call('create')).structured).toEqual({ connection: 'said' });
    expect((await client.call('create', { connection: 'now' })).structured).toEqual({ connection: 'now' });
  });

  test('a pinned value is not replaced by a remembered one', async () => {
    const client = await connect({ pinnedValues: { template: 'fixed' } });
    await client.call('create', { connection: 'a' });
    expect((await client.call('create', { template: 'own' })).text).toContain('Unknown parameter "template"');
    expect((await client.call('create')).structured).toEqual({ connection: 'a', template: 'fixed' });
    expect(await client.remembered()).toEqual({ connection: 'a' });
  });

  test('a remembered value before the environment', async () => {
    process.env['DEPOT_REGION'] = 'north';
    onTestFinished(() => void delete process.env['DEPOT_REGION']);
    const client = await connect();
    await client.call('import', { region: 'south' });
    expect((await client.call('import')).structured).toEqual({ region: 'south' });
  });

  test('what excludes a remembered value makes it stand back, and the newer one wins', async () => {
    const client = await connect();
    await client.call('import', { connection: 'a' });
    expect((await client.call('import', { file: 'b.txt' })).structured).toEqual({ file: 'b.txt' });
    const { structured, text } = await client.call('import');
    expect(structured).toEqual({ file: 'b.txt' });
    expect(text).toContain('[values used from the session] file="b.txt" (set by import)');
    expect((await client.call('create')).structured).toEqual({ connection: 'a' });
  });
});

describe('required options (decision 6)', () => {
  test('are not required of the call, and say so', async () => {
    const { inputSchema } = (await (await connect()).list()).find(({ name }) => name === 'create')!;
    expect(inputSchema.required).toBeUndefined();
    expect(inputSchema.properties?.['connection']).toEqual({
      type: 'string',
      description: 'where the base is (required, unless the session has it)',
    });
  });

  test('are required without a session', async () => {
    const { inputSchema } = (await (await connect({ sessionCache: 'off' })).list())[0]!;
    expect(inputSchema.required).toEqual(['connection']);
  });
});

describe('settings', () => {
  test('cacheFlags remembers flags, too', async () => {
    const client = await connect({ cacheFlags: true });
    await client.call('check', { connection: 'a', force: true });
    expect(await client.remembered()).toEqual({ connection: 'a', force: true });
    expect((await client.call('check')).structured).toEqual({ connection: 'a', force: true });
    const tool = (await client.list()).find(({ name }) => name === 'version_of')!;
    expect(Object.keys(tool.inputSchema.properties ?? {})).toEqual([
      'short',
      'name',
      'debug',
      'nocache',
      'session',
    ]);
  });

  test('off: no tool, no parameter, nothing remembered', async () => {
    const client = await connect({ sessionCache: 'off' });
    await client.call('create', { connection: 'a' });
    expect((await client.call('create')).text).toContain('Missing parameter "connection"');
    expect(JSON.stringify(await client.list())).not.toMatch(/session|nocache|cache_/);
  });

  test('connection: no handles', async () => {
    const client = await connect({ sessionCache: 'connection' });
    await client.call('create', { connection: 'a' });
    expect((await client.call('report')).structured).toEqual({ connection: 'a' });
    expect(JSON.stringify(await client.list())).not.toMatch(/"session"|handle/);
  });

  test('handle: a connection alone remembers nothing', async () => {
    const client = await connect({ sessionCache: 'handle' });
    await client.call('create', { connection: 'a' });
    expect((await client.call('cache_show')).text).toContain('This request stands alone');
    const { text } = await client.call('create', { connection: 'a', session: 'new' });
    const [, handle] = /"session": "(\w+)"/.exec(text)!;
    expect((await client.call('report', { session: handle })).structured).toEqual({ connection: 'a' });
    expect((await client.call('report')).text).toContain('Missing parameter');
  });

  test('controlParams gives other names, also in the tools of the session', async () => {
    const client = await connect({ controlParams: { session: 'notebook', nocache: 'fresh', debug: false } });
    const { text } = await client.call('create', { connection: 'a', notebook: 'new' });
    const [, handle] = /"notebook": "(\w+)"/.exec(text)!;
    expect((await client.call('cache_show', { notebook: handle })).structured.values).toHaveLength(1);
    expect((await client.call('report', { notebook: handle, fresh: true })).text).toContain(
      'Missing parameter',
    );
  });
});

describe('no text names a parameter that the tool does not take', () => {
  const about = async (controlParams: McpOptions['controlParams']) => {
    const tools = await (await connect({ controlParams: controlParams! })).list();
    return tools.find(({ name }) => name === 'cache_show')!.description;
  };

  test('cache_show', async () => {
    expect(await about({})).toContain('unless they give it or set nocache.');
    expect(await about({ nocache: 'fresh' })).toContain('unless they give it or set fresh.');
    expect(await about({ nocache: false })).toContain('unless they give it. ');
  });

  test.each<[string, McpOptions, string]>([
    ['renamed', { controlParams: { nocache: 'fresh' } }, ', or set "fresh"'],
    ['left out', { controlParams: { nocache: false } }, ''],
    ['pinned', { pinnedValues: { nocache: false } }, ''],
  ])('the refusal of a value of the session: %s', async (_how, options, way) => {
    const client = await connect(options);
    await client.call('create', { connection: 'b' });
    expect((await client.call('switch')).text).toContain(`create: send "connection"${way}. Nothing was run.`);
  });

  test('nor where the author wrote the schema', async () => {
    const author = new Command('own');
    const run = author
      .command('run')
      .addOption(new Option('--level <n>'))
      .action(() => {});
    const strict = author
      .command('strict')
      .addOption(new Option('--level <n>'))
      .action(() => {});
    describeOption(strict, '--level', { cache: true });
    const schema = {
      type: 'object',
      properties: { level: { type: 'string', maxLength: 1 } },
      additionalProperties: false,
    };
    exposeAsTool(strict, McpInputSchema(schema));
    const client = await connectClient(exposeAsTool(run).parent as Command);
    onTestFinished(() => client.close());
    await client.callTool({ name: 'run', arguments: { level: 'long' } });
    const { content } = await client.callTool({ name: 'strict', arguments: {} });
    expect(content).toEqual([
      { type: 'text', text: expect.stringMatching(/set by run: send "level"\. Nothing was run\.$/) },
    ]);
  });
});

describe('handles', () => {
  test('are minted by the tools of the session, too', async () => {
    const client = await connect({ era: '2026-07-28' });
    const { structured, text } = await client.call('cache_show', { session: 'new' });
    expect(text).toContain(structured.session);
    await client.call('create', { session: structured.session, connection: 'a' });
    expect((await client.call('cache_show', { session: structured.session })).structured.values).toHaveLength(
      1,
    );
  });

  test('none is minted by a call that is refused', async () => {
    const client = await connect({ era: '2026-07-28' });
    expect((await client.call('create', { session: 'new', template: 5 })).text).not.toMatch(/s[0-9a-f]{40}/);
  });

  test.each(['create', 'cache_show', 'cache_clear'])(
    'one that leads nowhere is refused by %s',
    async (name) => {
      const client = await connect();
      const { text, isError } = await client.call(name, { session: `s${'0'.repeat(40)}` });
      expect(isError).toBe(true);
      expect(text).toMatch(/"session": there is no such session.*"new" begins another/);
    },
  );

  test('without one, a request of 2026-07-28 stands alone', async () => {
    const client = await connect({ era: '2026-07-28' });
    await client.call('create', { connection: 'a' });
    expect((await client.call('create')).text).toContain('Missing parameter "connection"');
    expect((await client.call('cache_show')).text).toMatch(/stands alone.*"new" in any call/);
    expect((await client.call('cache_clear')).isError).toBe(false);
  });

  test('a connection and a handle are two sessions', async () => {
    const client = await connect();
    const { text } = await client.call('create', { connection: 'b', session: 'new' });
    const [, handle] = /"session": "(\w+)"/.exec(text)!;
    await client.call('create', { connection: 'a' });
    expect((await client.call('report', { session: handle })).structured).toEqual({ connection: 'b' });
    expect((await client.call('report')).structured).toEqual({ connection: 'a' });
  });
});

test('a command that has nothing to remember has no part in it', async () => {
  const client = await connect();
  const tool = (await client.list()).find(({ name }) => name === 'version_of')!;
  expect(Object.keys(tool.inputSchema.properties ?? {})).toEqual(['short', 'name', 'debug']);
});

test('what the operator pinned leaves nothing to remember', async () => {
  const client = await connect({ pinnedValues: { connection: 'near' } });
  const tool = (await client.list()).find(({ name }) => name === 'switch')!;
  expect(Object.keys(tool.inputSchema.properties ?? {})).toEqual(['debug']);
});

test.each([
  ['cache_show', { nme: 'a' }, /Unknown parameter "nme"/],
  ['cache_clear', { nme: 'a' }, /Unknown parameter "nme". Did you mean name\?/],
  ['cache_clear', { name: 5 }, /"name" must be a text; you sent 5/],
])('%s %j is refused', async (name, toolArguments, message) => {
  const { text, isError } = await (await connect()).call(name, toolArguments);
  expect(isError).toBe(true);
  expect(text).toMatch(message);
});
