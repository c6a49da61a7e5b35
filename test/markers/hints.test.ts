import {
  exposeAsTool,
  McpAdditive,
  McpDestructive,
  McpIdempotent,
  McpOpenWorld,
  McpReadOnly,
  McpTitle,
  type Mark,
} from '@mcpify/markers';
import { Command } from 'commander';
import { connectClient } from 'mcpify/testing';
import { expect, onTestFinished, test } from 'vitest';

/* What marks say of a command is for whoever reads the list: it runs as it did. */

test.each<[string, Mark[]]>([
  ['no further mark', []],
  ['read-only', [McpReadOnly]],
  ['destructive', [McpDestructive]],
  ['additive', [McpAdditive]],
  ['idempotent', [McpIdempotent]],
  ['open world', [McpOpenWorld]],
  ['title', [McpTitle('Run')]],
])('hints change nothing of how a command runs: %s', async (_, marks) => {
  const order: string[] = [];
  const program = new Command('app');
  const run = program
    .command('run')
    .argument('<name>')
    .action(async (name: string) => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
      console.log(process.pid);
    });
  exposeAsTool(run, ...marks);
  const client = await connectClient(program);
  onTestFinished(() => client.close());
  const call = (name: string) => client.callTool({ name: 'run', arguments: { name } });
  const results = await Promise.all([call('a'), call('b')]);
  // In this process, one at a time, and the result is there at once.
  expect(results.map(({ content }) => content)).toEqual(
    results.map(() => [{ type: 'text', text: `${process.pid}\n` }]),
  );
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});
