import { UsageError } from '../errors/usage-error.js';
import { coerceValue } from '../invocation/coerce-value.js';
import { describeSchema, show } from '../invocation/describe-problem.js';
import type { Settings } from '../options/mcp-options.js';
import type { CommandModel, Parameter } from '../schema/command-model.js';
import { displayPath, type CommandNode } from '../schema/command-node.js';
import { compileSchema, findErrors } from '../schema/compile-schema.js';
import { nearestNames } from '../schema/nearest-names.js';

/**
 * What the operator gives must have an effect, and a right one: a misspelt name would be a hole in a limit, and a value
 * that fits no tool would make calls fail that nobody but the operator can mend. Of tools that share the name, one may
 * need another type: its calls are refused, and say why.
 *
 * @throws UsageError `INVALID_SETTING`
 */
export function checkOperatorValues(settings: Settings, models: readonly CommandModel[]): void {
  for (const setting of ['pinnedValues', 'defaultValues'] as const) {
    for (const [property, value] of Object.entries(settings[setting])) {
      const takers = models.flatMap(({ command, parameters }) => {
        const parameter = parameters.find((each) => each.property === property);
        return parameter ? [{ command, parameter }] : [];
      });
      const [first] = takers;
      if (!first) throw unknownName(`${setting}.${property}`, property, models);
      if (takers.some(({ parameter }) => isFit(value, parameter))) continue;
      throw misfit(`${setting}.${property}`, value, first);
    }
  }
}

interface Taker {
  readonly command: CommandNode;
  readonly parameter: Parameter;
}

function isFit(value: unknown, parameter: Parameter): boolean {
  // None is given: commander's own default holds.
  if (value === undefined || value === null) return true;
  return findErrors(() => compileSchema(parameter.schema), coerceValue(value, parameter)).length === 0;
}

function misfit(name: string, value: unknown, { command, parameter }: Taker): UsageError {
  const given = parameter.secret ? '' : ` is ${show(value)}, but it`;
  return new UsageError(
    'INVALID_SETTING',
    `Setting ${name}${given} must be ${describeSchema(parameter.schema)} for command "${displayPath(command)}".`,
  );
}

function unknownName(name: string, property: string, models: readonly CommandModel[]): UsageError {
  const properties = models.flatMap(({ parameters }) => parameters.map((each) => each.property));
  const near = nearestNames(property, new Set(properties));
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  return new UsageError('INVALID_SETTING', `Setting ${name}: no tool has a parameter of that name.${hint}`);
}
