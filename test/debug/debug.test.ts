import { callContext, describeOption, exposeAsTool, McpConcurrent } from '@mcpify/markers';
import { Command, Option } from 'commander';
import { connectClient } from 'mcpify/testing';
import { afterEach, expect, test } from 'vitest';

/* The parameter `debug` of commands that run in the process (B6.1). */

type Client = Awaited<ReturnType<typeof connectClient>>;

let client: Client;

afterEach(() => client.close());

async function call(name: string, toolArguments: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: toolArguments });
  const [block] = content;
  return { text: block?.type === 'text' ? block.text : '', isError: isError === true };
}

test('a call that fails brings its log, too', async () => {
  const program = new Command('app');
  const fail = program.command('fail').action(() => {
    callContext().log('debug', 'looked here');
    throw new Error('nothing there');
  });
  exposeAsTool(fail);
  client = await connectClient(program);
  const { text, isError } = await call('fail', { debug: true });
  expect(isError).toBe(true);
  expect(text).toContain('nothing there');
  expect(text).toContain('[log]\ndebug: looked here');
  expect((await call('fail', {})).text).not.toContain('looked here');
});

test('calls at the same time see neither log nor level of each other', async () => {
  let inside = 0;
  let open = () => {};
  const allInside = new Promise<void>((resolve) => (open = resolve));
  const program = new Command('app');
  const meet = program
    .command('meet')
    .argument('<name>')
    .action(async (name: string) => {
      if (++inside === 3) open();
      await allInside;
      callContext().log('debug', `line of ${name}`);
      console.log(`${name} ${process.env['DEBUG'] ?? 'quiet'}`);
    });
  exposeAsTool(meet, McpConcurrent);
  client = await connectClient(program, { logPrefix: 'app:*' });
  const [one, two, three] = await Promise.all([
    call('meet', { name: 'one', debug: true }),
    call('meet', { name: 'two' }),
    call('meet', { name: 'three', debug: true }),
  ]);
  expect(one.text).toBe('one app:*\n[log]\ndebug: line of one\n');
  expect(two.text).toMatch(/^two (?!app:)/);
  expect(three.text).toBe('three app:*\n[log]\ndebug: line of three\n');
});

/** A command that prints its options, of which some are given by debug. */
function talker(): Command {
  const program = new Command('app');
  const talk = program
    .command('talk')
    .option('-v, --verbose', 'tells more')
    .option('--trace [topics]', 'tells all')
    .option('--level <n>', '', Number)
    .addOption(new Option('--depth').argParser((_: string, before: number) => before + 1).default(0))
    .action((options) => options);
  exposeAsTool(talk);
  for (const flag of ['--verbose', '--trace']) describeOption(talk, flag, { debug: true });
  return program;
}

test('an option that is named for it is given with debug, and by nothing else', async () => {
  client = await connectClient(talker(), { sessionCache: 'connection', cacheFlags: true });
  const optionsOf = async (toolArguments: Record<string, unknown>) => {
    const { structuredContent } = await client.callTool({ name: 'talk', arguments: toolArguments });
    const { verbose, trace } = structuredContent as Record<string, unknown>;
    return { verbose, trace };
  };
  expect(await optionsOf({ debug: true })).toEqual({ verbose: true, trace: true });
  // Nothing of it is remembered.
  expect(await optionsOf({})).toEqual({ verbose: undefined, trace: undefined });
  expect(await optionsOf({ debug: false })).toEqual({ verbose: undefined, trace: undefined });
  expect(await optionsOf({ debug: true, trace: 'net', verbose: false })).toEqual({
    verbose: undefined,
    trace: 'net',
  });
});

test('an option that needs a value cannot be given by debug', async () => {
  client = await connectClient(talker());
  const program = talker();
  describeOption(program.commands[0]!, '--level', { debug: true });
  await expect(connectClient(program)).rejects.toThrow(/--level <n>.*needs a value/);
});
