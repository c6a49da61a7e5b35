import { Argument, Command, Option } from 'commander';
import { expect, test } from 'vitest';

import { callContext, describeArgument, describeOption, descriptionOf } from '@mcpify/markers';

test('an option is named by its flag, long or short, on a Command', () => {
  const command = new Command('run').option('-t, --token <text>');
  expect(describeOption(command, '--token', { secret: true })).toBe(command);
  describeOption(command, '-t', { description: 'to sign in' });
  expect(descriptionOf(command.options[0]!)).toEqual({ secret: true, description: 'to sign in' });
});

test('an Option describes itself', () => {
  const option = new Option('--port <n>');
  expect(describeOption(option, { type: 'integer' })).toBe(option);
  expect(descriptionOf(option)).toEqual({ type: 'integer' });
});

test('an argument is named by its name, on a Command', () => {
  const command = new Command('run').argument('<file>');
  expect(describeArgument(command, 'file', { type: 'path' })).toBe(command);
  expect(descriptionOf(command.registeredArguments[0]!)).toEqual({ type: 'path' });
});

test('an Argument describes itself', () => {
  const argument = new Argument('<file>');
  expect(describeArgument(argument, { type: 'path' })).toBe(argument);
  expect(descriptionOf(argument)).toEqual({ type: 'path' });
});

test('a flag or name that is not there is told with those that are', () => {
  const command = new Command('run').option('--token <text>').argument('[file]');
  expect(() => describeOption(command, '--tokn', {})).toThrow(/"run" has no option "--tokn".*--token <text>/);
  expect(() => describeArgument(command, 'dir', {})).toThrow(/"run" has no argument "dir".*file/);
});

test('outside a call, callContext() is there and inert', async () => {
  const context = callContext();
  expect(context.isMcp).toBe(false);
  expect(context.caller).toBeUndefined();
  expect(context.signal.aborted).toBe(false);
  expect(context.progress(1, 2)).toBeUndefined();
  expect(context.log('info', 'text')).toBeUndefined();
  expect(await context.ask('Sure?', {})).toEqual({ action: 'cancel' });
});
