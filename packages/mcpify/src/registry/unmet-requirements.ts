import type { CommandModel } from '../schema/command-model.js';
import { displayPath } from '../schema/command-node.js';

/**
 * Commands that require what no call can set, since it is hidden, excluded or left out of `McpInputSchema`: each of
 * their calls fails, unless the program gives it a value on the way, by `.implies()` or a hook. One line for what is
 * required.
 */
export function unmetRequirements(models: Iterable<CommandModel>): readonly string[] {
  const commands = new Map<string, string[]>();
  for (const model of models) {
    for (const name of unmetBy(model)) {
      const paths = commands.get(name) ?? [];
      commands.set(name, [...paths, displayPath(model.command)]);
    }
  }
  return [...commands].map(([name, [first, ...others]]) => {
    const more = others.length > 0 ? ` (and ${others.length} more)` : '';
    return (
      `Command "${first}"${more} requires "${name}", which no call can set: it is hidden or left out. ` +
      'Give it a default, or let calls set it.'
    );
  });
}

function unmetBy({ command, path, parameters }: CommandModel): readonly string[] {
  const settable = new Set(
    parameters.map(({ target }) => {
      if (target.kind === 'option') return target.attribute;
      return target.kind === 'argument' ? target.argument : undefined;
    }),
  );
  const options = path
    .flatMap((level) => level.options)
    .filter(
      ({ mandatory, negate, defaultValue, envVar }) =>
        mandatory && !negate && defaultValue === undefined && envVar === undefined,
    )
    .filter((option) => !settable.has(option.attributeName()));
  const args = command.registeredArguments.filter(
    (argument) => argument.required && argument.defaultValue === undefined && !settable.has(argument),
  );
  return [...options.map(({ flags }) => flags), ...args.map((argument) => `<${argument.name()}>`)];
}
