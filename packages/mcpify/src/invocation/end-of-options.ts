import type { CommandModel } from '../schema/command-model.js';
import { isPositional } from '../schema/reachable-flag.js';

/**
 * What stands between options and positionals: `--`. An executable subcommand parses for itself what its parents leave
 * of it, and one that has read no token which it does not know takes the `--` away. A second one goes on, so that a
 * positional is no option there; only where one could be, since not every script knows `--`, and not where the author
 * lets through what looks like an option.
 *
 * @param hasTokens whether a level of the path has options on this command line, program first
 */
export function endOfOptions(
  { command, path }: CommandModel,
  hasTokens: readonly boolean[],
  positionals: readonly string[],
): readonly string[] {
  const once = ['--'];
  if (command._executableHandler !== true || command._allowUnknownOption === true) return once;
  if (!positionals.some((text) => text.startsWith('-'))) return once;
  const parents = path.slice(0, -1);
  const isLeft = parents.every(
    (parent, level) => isPositional(parent) || hasTokens.slice(level + 1).includes(true),
  );
  return isLeft ? once : ['--', '--'];
}
