import type { CommandNode, OptionNode } from './command-node.js';
import type { OptionTarget } from './command-model.js';
import { reachableFlag } from './reachable-flag.js';

/**
 * The options that a call of the last command in `path` can set, its own and inherited ones (B3.4), in the order of
 * declaration. One option an attribute (B3.7): the nearest to the command that can be reached; visible before hidden.
 * commander loses the value of an attribute `__proto__`.
 */
export function collectOptions(path: readonly CommandNode[]): readonly OptionTarget[] {
  let chosen: readonly OptionTarget[] | undefined;
  for (let level = 0; level < path.length; level += 1) {
    const command = path[level] as CommandNode;
    if (command.options.length === 0) continue;
    const targets = optionsOf(command, level);
    chosen = chosen
      ? withNearer(
          chosen,
          targets.filter((each) => isReachable(each, path)),
        )
      : targets;
  }
  return chosen ?? [];
}

/** One target an attribute, at the place of its positive option, or of a lone `--no-x`. */
function optionsOf(command: CommandNode, level: number): readonly OptionTarget[] {
  const targets = new Map<string, OptionTarget>();
  for (const option of command.options) {
    if (option.hidden) continue;
    const attribute = option.attributeName();
    if (attribute === '__proto__' || isVersionOrHelp(command, option, attribute)) continue;
    const known = targets.get(attribute);
    if (!known) {
      targets.set(attribute, { kind: 'option', option, attribute, negation: undefined, level });
    } else if (option.negate) {
      if (!known.option.negate && !known.negation) targets.set(attribute, { ...known, negation: option });
    } else if (known.option.negate) {
      targets.delete(attribute);
      targets.set(attribute, { kind: 'option', option, attribute, negation: known.option, level });
    }
  }
  return [...targets.values()];
}

/** The nearer one takes the place of its own declaration. */
function withNearer(
  inherited: readonly OptionTarget[],
  own: readonly OptionTarget[],
): readonly OptionTarget[] {
  const attributes = new Set(own.map(({ attribute }) => attribute));
  return [...inherited.filter(({ attribute }) => !attributes.has(attribute)), ...own];
}

function isVersionOrHelp(command: CommandNode, option: OptionNode, attribute: string): boolean {
  if (option.long === '--help') return true;
  return (
    command._versionOptionName !== undefined &&
    command._versionOptionName === attribute &&
    !option.required &&
    !option.optional &&
    !option.parseArg
  );
}

function isReachable({ option, negation, level }: OptionTarget, path: readonly CommandNode[]): boolean {
  const withValue = option.required || option.optional;
  if (withValue && reachableFlag(option, path, level, true) !== undefined) return true;
  if (!withValue && reachableFlag(option, path, level, false) !== undefined) return true;
  return negation !== undefined && reachableFlag(negation, path, level, false) !== undefined;
}
