import { compileSchema, findErrors, type OutputUnit, type Validator } from '../schema/compile-schema.js';
import type { CommandModel, Parameter } from '../schema/command-model.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { createQuickCheck, type QuickCheck } from '../schema/quick-check.js';
import { describeMissing, describePinned, describeProblem } from './describe-problem.js';
import type { Problem } from './problem.js';

/** What is checked: also of tools that are no commands. */
type ArgumentsModel = Pick<CommandModel, 'parameters' | 'inputSchema'>;

/**
 * Checks values against the tool's input schema, pinned ones against theirs.
 *
 * @returns one problem a parameter, with its name, the rule and the value (decision 1); empty where all is right
 */
export function validateValues(
  model: ArgumentsModel,
  values: ReadonlyMap<string, unknown>,
): readonly Problem[] {
  const problems: Problem[] = [];
  for (const parameter of model.parameters) {
    const { property, required, pinned } = parameter;
    if (!required || pinned || values.has(property)) continue;
    problems.push({ property, message: describeMissing(parameter) });
  }
  const errors = findModelErrors(model, values);
  if (errors.length === 0) return problems;
  for (const parameter of model.parameters) {
    const message = describeErrors(parameter, values, errors);
    if (message !== undefined) problems.push({ property: parameter.property, message });
  }
  if (problems.length > 0) return problems;
  // A rule about the arguments as a whole: only an author's own schema has these.
  return [
    { message: `The arguments do not match the tool's schema: ${errors.at(-1)?.error ?? 'unknown rule'}` },
  ];
}

function describeErrors(
  parameter: Parameter,
  values: ReadonlyMap<string, unknown>,
  errors: readonly OutputUnit[],
): string | undefined {
  const { property, pinned } = parameter;
  const location = `#/${encodePart(property)}`;
  const own = errors.filter(({ instanceLocation }) => `${instanceLocation}/`.startsWith(`${location}/`));
  if (own.length === 0) return undefined;
  if (pinned) return describePinned(parameter);
  const value = values.get(property);
  const deeper = own.find(({ instanceLocation }) => instanceLocation.length > location.length);
  const index = deeper ? Number.parseInt(deeper.instanceLocation.slice(location.length + 1), 10) : Number.NaN;
  return describeProblem(parameter, value, Number.isNaN(index) ? undefined : index);
}

/** JSON Pointer in a URI fragment, as the validator writes it. */
function encodePart(property: string): string {
  return encodeURI(property.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function findModelErrors(model: ArgumentsModel, values: ReadonlyMap<string, unknown>): readonly OutputUnit[] {
  // `fromEntries` defines keys of its own: an option may be named `constructor`.
  const instance = Object.fromEntries(values);
  const checks = checksOf(model);
  if (checks.quick?.(instance)) return NO_ERRORS;
  return findErrors(() => (checks.validator ??= compileSchema(withPinned(model))), instance);
}

const NO_ERRORS: readonly OutputUnit[] = [];

interface Checks {
  readonly quick: QuickCheck | undefined;
  validator?: Validator;
}

const checksOfModels = new WeakMap<ArgumentsModel, Checks>();

/** Made at the first call of the command: hundreds of tools cost nothing at start. */
function checksOf(model: ArgumentsModel): Checks {
  let checks = checksOfModels.get(model);
  if (!checks) checksOfModels.set(model, (checks = { quick: createQuickCheck(withPinned(model)) }));
  return checks;
}

function withPinned({ inputSchema, parameters }: ArgumentsModel): JsonSchema {
  const pinned = parameters.filter((parameter) => parameter.pinned);
  if (pinned.length === 0) return inputSchema;
  const entries = pinned.map(({ property, schema }) => [property, schema] as const);
  return { ...inputSchema, properties: { ...inputSchema.properties, ...Object.fromEntries(entries) } };
}
