import { copyMarks, marksOf, McpConcurrent, type CommandLike } from '@mcpify/markers';
import type { Command } from 'commander';

import { bindFields, type FindParent } from './bind-fields.js';
import { checkCommand } from './check-settings.js';
import { declarations, readClass } from './declaration.js';
import { toAction, type CreateInstance } from './run-class.js';
import type { AnyClass, CommandSettings } from './settings.js';

export interface ClassCommandOptions {
  /** Makes the instance of a call, with its services. @default `new commandClass()` */
  readonly create?: CreateInstance;
}

/**
 * Adds commands that are written as classes to a program. They come into being by the program's own `createCommand`,
 * `createOption` and `createArgument`, so that they are of its copy of commander.
 *
 * @param classes command classes, in the order of the help; the classes of their parents come by themselves
 * @returns the program, with its type
 * @throws TypeError where a class is declared wrongly: at start, with what to write
 */
export function addCommands<Program extends CommandLike>(
  program: Program,
  classes: readonly AnyClass[],
  options: ClassCommandOptions = {},
): Program {
  const tree = readTree(program as unknown as Command, classes, options);
  for (const commandClass of classes) place(tree, commandClass, []);
  for (const command of tree.added) refuseEmpty(command);
  return program;
}

/**
 * Makes a class of an existing command, such as the program itself where it is the only command. The name stays the
 * command's; `@CliCommand` is not needed.
 *
 * @returns the command, with its type
 * @throws TypeError where the class is declared wrongly
 */
export function configureCommand<C extends CommandLike>(
  command: C,
  commandClass: AnyClass,
  options: ClassCommandOptions = {},
): C {
  const target = command as unknown as Command;
  build(readTree(rootOf(target), [commandClass], options), target, commandClass);
  return command;
}

interface Tree {
  readonly root: Command;
  /** Those that are to be added. */
  readonly classes: readonly AnyClass[];
  readonly create: CreateInstance | undefined;
  readonly commands: Map<AnyClass, Command>;
  readonly added: Set<Command>;
}

/** What commands are built from. */
const origins = new WeakMap<Command, AnyClass>();

function readTree(root: Command, classes: readonly AnyClass[], { create }: ClassCommandOptions): Tree {
  const commands = new Map<AnyClass, Command>();
  const visit = (command: Command) => {
    const commandClass = origins.get(command);
    if (commandClass) commands.set(commandClass, command);
    command.commands.forEach(visit);
  };
  visit(root);
  return { root, classes, create, commands, added: new Set() };
}

/** @param children those that wait for this one as their parent */
function place(tree: Tree, commandClass: AnyClass, children: readonly AnyClass[]): Command {
  const known = tree.commands.get(commandClass);
  if (known) return known;
  const settings = declarations().commands.get(commandClass);
  if (!settings) throw undeclared(commandClass);
  if (children.includes(commandClass)) throw new TypeError(`${commandClass.name} is its own parent.`);
  const parent = findParent(tree, settings.parent, [...children, commandClass]);
  const command = makeCommand(parent, commandClass, settings);
  describeCommand(command, settings);
  build(tree, command, commandClass);
  settings.configure?.(command);
  return command;
}

function findParent(tree: Tree, parent: CommandSettings['parent'], children: readonly AnyClass[]): Command {
  if (parent === undefined) return tree.root;
  if (typeof parent !== 'string') return place(tree, parent, children);
  return parent.split(' ').reduce((group, name, index, names) => {
    const known = group.commands.find((each) => each.name() === name || each.aliases().includes(name));
    if (known) return known;
    const path = names.slice(0, index).join(' ');
    const declared = tree.classes.find((each) => isDeclaredAs(tree, each, name, group, path));
    return declared ? place(tree, declared, children) : group.command(name);
  }, tree.root);
}

/** Whether a class that is still to come is that command of the group. */
function isDeclaredAs(
  tree: Tree,
  commandClass: AnyClass,
  name: string,
  group: Command,
  path: string,
): boolean {
  const settings = declarations().commands.get(commandClass);
  if (settings?.name !== name) return false;
  const { parent = '' } = settings;
  return typeof parent === 'string' ? parent === path : tree.commands.get(parent) === group;
}

function makeCommand(
  parent: Command,
  commandClass: AnyClass,
  { name, hidden, isDefault }: CommandSettings,
): Command {
  if (!/^[^\s<[]+$/.test(name)) {
    throw new TypeError(
      `The name of ${commandClass.name} must be one word, not "${name}": a path goes to "parent".`,
    );
  }
  const taken = parent.commands.find((each) => each.name() === name || each.aliases().includes(name));
  if (!taken) return parent.command(name, { hidden: hidden === true, isDefault: isDefault === true });
  const other = origins.get(taken)?.name ?? 'a command of the program';
  throw new TypeError(
    `${commandClass.name} and ${other} are both "${name}" of "${parent.name()}". Rename one.`,
  );
}

function describeCommand(command: Command, { description, summary, aliases }: CommandSettings): void {
  if (description !== undefined) command.description(description);
  if (summary !== undefined) command.summary(summary);
  if (aliases) command.aliases(aliases);
}

function build(tree: Tree, command: Command, commandClass: AnyClass): void {
  const settings = declarations().commands.get(commandClass);
  if (settings) checkCommand(settings, commandClass.name);
  origins.set(command, commandClass);
  tree.commands.set(commandClass, command);
  tree.added.add(command);
  bindFields(command, commandClass, parentOf(command));
  copyMarks(commandClass, command);
  if (!hasRun(commandClass)) return;
  command.action(toAction(commandClass, tree.create) as Action);
  if (settings?.concurrent !== false && !marksOf(command).isolated) McpConcurrent(command);
}

/** Its typings want no value; commander hands on whatever is returned, and waits for it. */
type Action = Parameters<Command['action']>[0];

function parentOf(command: Command): FindParent {
  return (commandClass) => {
    for (let { parent } = command; parent; { parent } = parent) {
      if (origins.get(parent) === commandClass) return parent;
    }
    return undefined;
  };
}

function hasRun(commandClass: AnyClass): boolean {
  return typeof readClass(commandClass).sample['run'] === 'function';
}

/** commander would show the help of a command that can do nothing, and fail. */
function refuseEmpty(command: Command): void {
  const commandClass = origins.get(command);
  if (!commandClass || hasRun(commandClass) || command.commands.length > 0) return;
  throw new TypeError(
    `${commandClass.name} has no run() and no subcommands: write run(), or add its subcommands.`,
  );
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}

function undeclared({ name }: AnyClass): TypeError {
  return new TypeError(
    `${name} is no command: write @CliCommand({ name: '…' }) on it. A decorator that replaces the class ` +
      'stands below it, and a subclass of a command has a @CliCommand of its own.',
  );
}
