import type { Parameter } from '../schema/command-model.js';

/**
 * Translates the flags in a message of commander: the model set properties, not flags.
 *
 * @returns `(--dry-run is the parameter "dryRun".)`, or '' where the message names no flag
 */
export function nameParameters(message: string, parameters: readonly Parameter[]): string {
  const named = parameters.flatMap((parameter) => {
    const spelling = spellings(parameter).find((each) => mentions(message, each));
    return spelling === undefined ? [] : [`${spelling} is the parameter "${parameter.property}"`];
  });
  return named.length === 0 ? '' : `(${named.join('; ')}.)`;
}

function spellings({ property, target }: Parameter): string[] {
  if (target.kind === 'excess' || target.kind === 'own') return [];
  if (target.kind === 'argument') {
    const name = target.argument.name();
    return name === property ? [] : [name];
  }
  const { option, negation } = target;
  return [option.long, negation?.long, option.short].filter((flag) => flag !== undefined);
}

function mentions(message: string, spelling: string): boolean {
  for (let at = message.indexOf(spelling); at >= 0; at = message.indexOf(spelling, at + 1)) {
    const before = message[at - 1] ?? ' ';
    const after = message[at + spelling.length] ?? ' ';
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}
