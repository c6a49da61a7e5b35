// The commander program of the commands.
import { setTimeout as sleep } from 'node:timers/promises';

import { Command, Option } from 'commander';

import { commands } from './commands.mjs';

const ACTIONS = {
  greet: (name, { times }) => void process.stdout.write(`Hello, ${name}!\n`.repeat(times)),
  wait: async ({ ms }) => {
    await sleep(ms);
    console.log('waited');
  },
  print: ({ megabytes }) => void process.stdout.write(`${'x'.repeat(63)}\n`.repeat(16_384 * megabytes)),
  fail: () => process.exit(2),
};

export function buildProgram(total) {
  const program = new Command('bench').description('A CLI to measure with');
  for (const { name, description, argument, options } of commands(total)) {
    const command = program.command(name).description(description);
    if (argument) command.argument(`<${argument.name}>`, argument.description);
    for (const option of options) command.addOption(toOption(option));
    command.action(ACTIONS[name] ?? ((target) => console.log(target)));
  }
  return program;
}

function toOption({ name, kind, value, choices, description }) {
  const option = new Option(kind === 'flag' ? `--${name}` : `--${name} <value>`, description);
  if (kind === 'number') option.argParser(Number);
  if (choices) option.choices(choices);
  return value === undefined ? option : option.default(value);
}
