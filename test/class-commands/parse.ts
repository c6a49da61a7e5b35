import { configureCommand, type AnyClass } from '@mcpify/class-commands';
import { Command } from 'commander';

/**
 * Runs a command line; what it prints is dropped.
 *
 * @param program a command class, or a program
 * @returns what the command's `run` returned
 */
export async function parse<C extends AnyCommand>(
  program: C | AnyClass,
  ...argv: string[]
): Promise<unknown> {
  const command = typeof program === 'function' ? configureCommand(new Command('test'), program) : program;
  let returned: unknown;
  const visit = (each: AnyCommand) => {
    each.exitOverride();
    each.configureOutput({ writeErr: () => {} });
    const internals = each as { _actionHandler?: ((args: unknown[]) => unknown) | null };
    const action = internals._actionHandler;
    if (action) internals._actionHandler = (args) => (returned = action(args));
    each.commands.forEach(visit);
  };
  visit(command as AnyCommand);
  const { log } = console;
  console.log = () => {};
  try {
    await command.parseAsync(argv, { from: 'user' });
  } finally {
    console.log = log;
  }
  return returned;
}

/** A Command of any copy of commander. */
interface AnyCommand {
  readonly commands: readonly AnyCommand[];
  exitOverride(): unknown;
  configureOutput(configuration: { writeErr: () => void }): unknown;
  parseAsync(argv: readonly string[], options: { from: 'user' }): Promise<unknown>;
}
