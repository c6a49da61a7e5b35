// The marked program of the commands, written as classes. Initial values tell types, so that reflect-metadata is loaded.
import { addCommands, CliArgument, CliCommand, CliOption, defineFields } from '@mcpify/class-commands';
import { McpTool } from '@mcpify/markers';
import { Command } from 'commander';

import { commands } from './commands.mjs';

addCommands(new Command('bench').description('A CLI to measure with'), commands().map(toClass));

function toClass({ name, description, argument, options }) {
  const initial = Object.fromEntries(options.map((option) => [option.name, option.value]));
  class Bench {
    constructor() {
      Object.assign(this, initial);
    }

    run() {
      console.log(this[argument?.name]);
    }
  }
  CliCommand({ name, description })(Bench);
  McpTool(Bench);
  const fields = options.map((option) => [option.name, toOption(option)]);
  if (argument) {
    fields.unshift([
      argument.name,
      CliArgument(`<${argument.name}>`, argument.description, { type: 'string' }),
    ]);
  }
  defineFields(Bench, Object.fromEntries(fields));
  return Bench;
}

function toOption({ name, kind, value, choices, description }) {
  if (kind === 'flag') return CliOption(`--${name}`, description);
  const settings = choices ? { choices } : value === undefined ? { type: 'string' } : {};
  return CliOption(`--${name} <value>`, description, settings);
}
