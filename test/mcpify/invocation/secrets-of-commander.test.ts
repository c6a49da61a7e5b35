import { describeOption, exposeAsTool } from '@mcpify/markers';
import { Command, Option } from 'commander';
import { connectClient } from 'mcpify/testing';
import { expect, onTestFinished, test } from 'vitest';

/* A secret that nobody gave in the call is none the less one (K22). */

function programThatTells(option: Option): Command {
  const program = new Command('vault');
  const open = program
    .command('open')
    .option('--fail')
    .addOption(describeOption(option, { secret: true }));
  open.action(({ fail, token }: { fail?: boolean; token?: string }) => {
    if (fail) throw new Error(`${token} is refused`);
    console.log(`opens with ${token}`);
  });
  exposeAsTool(open);
  return program;
}

async function textsOf(program: Command): Promise<readonly string[]> {
  const client = await connectClient(program);
  onTestFinished(() => client.close());
  const results = await Promise.all(
    [{}, { fail: true }].map((toolArguments) => client.callTool({ name: 'open', arguments: toolArguments })),
  );
  return results.map(({ content }) => (content as readonly { text: string }[])[0]!.text);
}

test('one of the environment is masked', async () => {
  process.env['VAULT_TOKEN'] = 'from-the-environment';
  onTestFinished(() => void delete process.env['VAULT_TOKEN']);
  const texts = await textsOf(programThatTells(new Option('--token <text>').env('VAULT_TOKEN')));
  expect(texts).toEqual(['opens with ***\n', expect.stringContaining('*** is refused')]);
  expect(texts.join()).not.toContain('from-the-environment');
});

test('a default is, too', async () => {
  const texts = await textsOf(programThatTells(new Option('--token <text>').default('built-in-token')));
  expect(texts).toEqual(['opens with ***\n', expect.stringContaining('*** is refused')]);
});
