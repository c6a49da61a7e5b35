import type { CommandNode, OptionNode } from './command-node.js';

/**
 * The flag of an option that reaches its own level (argv.md, rule 8): a greedy command further up takes every token
 * that it knows, wherever it stands. Long before short.
 *
 * @param path program first; `level` is the index of the command that declares the option
 * @param withValue whether the flag carries a value: `--flag=value` passes an ancestor's boolean of the same name
 * @returns undefined where no flag is left
 */
export function reachableFlag(
  option: OptionNode,
  path: readonly CommandNode[],
  level: number,
  withValue: boolean,
): string | undefined {
  const { long, short } = option;
  if (long !== undefined && passes(long, path, level, withValue)) return long;
  return short !== undefined && passes(short, path, level, withValue) ? short : undefined;
}

/** Positional mode has an effect only where every command above has it too. */
export function isGreedy(path: readonly CommandNode[], level: number): boolean {
  for (let index = 0; index <= level; index += 1) {
    if (!isPositional(path[index])) return true;
  }
  return false;
}

/** Stops reading its own options at the name of a subcommand. */
export function isPositional(command: CommandNode | undefined): boolean {
  return command?._enablePositionalOptions === true || command?._passThroughOptions === true;
}

/** `--flag=value` in one token; a name with `=` in it would be cut there. */
export function canAttach(flag: string): boolean {
  return flag.startsWith('--') && !flag.includes('=');
}

function passes(flag: string, path: readonly CommandNode[], level: number, withValue: boolean): boolean {
  if (level === 0 || !isGreedy(path, level - 1)) return true;
  const isAttached = withValue && canAttach(flag);
  // commander 12 has flags like `-ws`; a command that knows `-w` takes them apart.
  const firstLetter = flag.length > 2 && !flag.startsWith('--') ? flag.slice(0, 2) : flag;
  for (let index = 0; index < level; index += 1) {
    if (!isGreedy(path, index)) continue;
    const takes = path[index]?.options.some(
      ({ long, short, required, optional }) =>
        (long === flag || short === flag || short === firstLetter) && !(isAttached && !required && !optional),
    );
    if (takes) return false;
  }
  return true;
}
