import type { ValueType } from '@mcpify/markers';

import type { ArgumentDeclaration, OptionDeclaration } from './declaration.js';
import type { ArgumentSettings, CommandSettings, OptionSettings } from './settings.js';

/**
 * Refuses what the compiler refuses, for those that have none: silently without effect, a misspelt `secret` would show
 * the secret.
 *
 * @param label the class and the field, for the message
 * @throws TypeError where a member or the type is unknown, or the description is no text
 */
export function checkField(declaration: OptionDeclaration | ArgumentDeclaration, label: string): void {
  const { kind, description, settings } = declaration;
  const written =
    kind === 'option' ? `CliOption('${declaration.flags}'` : `CliArgument('${declaration.name}'`;
  if (typeof description !== 'string') {
    throw new TypeError(`${label}: the description must be a text: ${written}, '…', { … }).`);
  }
  refuseUnknown(settings, kind === 'option' ? OPTION : ARGUMENT, `${label}: ${written}) has no setting`);
  const { type } = settings;
  if (type !== undefined) refuseUnknown({ [type]: true }, TYPES, `${label}: there is no type`);
}

/** @throws TypeError where a member is unknown */
export function checkCommand(settings: CommandSettings, className: string): void {
  refuseUnknown(settings, COMMAND, `${className}: CliCommand has no setting`);
}

/* Objects, so that the compiler tells of a member that is missing here. */
type Members<Settings> = Readonly<Record<keyof Settings, true>>;

const COMMAND: Members<CommandSettings> = {
  name: true,
  description: true,
  summary: true,
  aliases: true,
  parent: true,
  isDefault: true,
  hidden: true,
  concurrent: true,
  configure: true,
};

const ARGUMENT: Members<ArgumentSettings> = {
  type: true,
  choices: true,
  parse: true,
  schema: true,
  defaultText: true,
  configure: true,
};

const OPTION: Members<OptionSettings> = {
  ...ARGUMENT,
  secret: true,
  cache: true,
  exclude: true,
  debug: true,
  separator: true,
  required: true,
  negatable: true,
  env: true,
  conflicts: true,
  hidden: true,
};

const TYPES: Readonly<Record<ValueType, true>> = {
  string: true,
  number: true,
  integer: true,
  boolean: true,
  date: true,
  json: true,
  path: true,
};

function refuseUnknown(given: object, known: object, what: string): void {
  const names = Object.keys(known);
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const near = nearestName(name, names);
    const hint = near === undefined ? '' : ` Did you mean ${near}?`;
    throw new TypeError(`${what} "${name}".${hint} Known: ${names.join(', ')}.`);
  }
}

/** The name that one slip, or a slip in each four letters, makes of what is written. */
function nearestName(written: string, names: readonly string[]): string | undefined {
  const scored = names
    .map((name) => ({ name, slips: slipsBetween(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, slips }) => slips <= Math.max(1, Math.floor(name.length / 4)))
    .toSorted((first, second) => first.slips - second.slips);
  return scored[0]?.name;
}

/** Letters that are missing, too many or others, and neighbours that changed places. */
function slipsBetween(first: string, second: string): number {
  const rows = [Array.from({ length: second.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= first.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= second.length; column += 1) {
      const isSame = first[row - 1] === second[column - 1];
      const isSwap = first[row - 1] === second[column - 2] && first[row - 2] === second[column - 1];
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwap ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(first.length, second.length);
}
