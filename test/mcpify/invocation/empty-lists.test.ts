import { describeOption, exposeAsTool } from '@mcpify/markers';
import { Command, InvalidArgumentError } from 'commander';
import { connectClient } from 'mcpify/testing';
import { expect, onTestFinished, test } from 'vitest';

/* An empty list over a default: said where a parser takes the empty text for it, else refused (argv.md, rule 4). */

async function callerOf(declare: (run: Command) => Command) {
  const program = new Command('lists');
  exposeAsTool(declare(program.command('run')).action((...args: any[]) => args.slice(0, -1) as any));
  const client = await connectClient(program, { sessionCache: 'off' });
  onTestFinished(() => client.close());
  return async (toolArguments: Record<string, unknown>) => {
    const result = await client.callTool({ name: 'run', arguments: toolArguments });
    const [{ text }] = result.content as any as [{ text: string }];
    return result.isError ? text : (JSON.parse(text) as unknown[]);
  };
}

const PORTS = { type: 'array', items: { type: 'integer' } };

test('a list in one text can be none', async () => {
  const parse = (text: string) => (text === '' ? [] : text.split(',').map(Number));
  const call = await callerOf((run) => {
    run.option('--ports <n,n>', '', parse, [80]).option('-p <n,n>', '', parse, [81]);
    return describeOption(describeOption(run, '--ports', { schema: PORTS }), '-p', { schema: PORTS });
  });
  expect(await call({})).toEqual([{ ports: [80], p: [81] }]);
  expect(await call({ ports: [], p: [] })).toEqual([{ ports: [], p: [] }]);
  expect(await call({ ports: [5] })).toEqual([{ ports: [5], p: [81] }]);
});

test.each([
  ['adds to its default', (text: string, all: string[]) => [...all, ...text.split(',').filter(Boolean)]],
  ['makes an element of the empty text', (text: string, all: string[]) => [...all, text]],
  [
    'refuses the empty text',
    (text: string) => {
      if (text === '') throw new InvalidArgumentError('It is empty.');
      return [text];
    },
  ],
])('one whose parser %s cannot', async (_kind, parse) => {
  const call = await callerOf((run) => {
    run.option('--tags <t,t>', '', parse as (text: string, all: string[]) => string[], ['a']);
    return describeOption(run, '--tags', { schema: { type: 'array', items: { type: 'string' } } });
  });
  expect(await call({ tags: [] })).toBe(
    '"tags" cannot be []: the command line has no way to say that (--tags <t,t>). ' +
      'Send one element at least, or leave it out. Nothing was run.',
  );
});

test('what no command line can say is told with the way out', async () => {
  const call = await callerOf((run) =>
    run.argument('[files...]', '', ['a']).option('--tag <t...>', '', ['b']),
  );
  expect(await call({ files: [], tag: [] })).toBe(
    [
      'run was not run. 2 problems:',
      ...['tag', 'files'].map(
        (name) =>
          `- "${name}" must be an array of at least 1 element, each a text; you sent []. ` +
          'Its default cannot be emptied: send one element at least, or leave it out.',
      ),
    ].join('\n'),
  );
});
