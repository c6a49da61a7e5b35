/*
 * commander commands as classes. Few modules, since each of them costs the start of every CLI as much as some commands.
 */
export { addCommands, configureCommand, type ClassCommandOptions } from './add-commands.js';
export {
  CliArgument,
  CliCommand,
  CliOption,
  CliOptions,
  defineFields,
  type CommandDecorator,
  type FieldEntries,
  type OptionSet,
} from './decorators.js';
export type { Choices, FieldDecorator } from './field-types.js';
export type { Constructor, CreateInstance } from './run-class.js';
export type { AnyClass, ArgumentSettings, CommandSettings, OptionSettings } from './settings.js';
