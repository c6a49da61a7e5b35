import { UsageError } from '../errors/usage-error.js';
import { withAuthorSchema, withoutPinned } from './author-schema.js';
import { collectOptions } from './collect-options.js';
import type { ControlParameters, OwnParameters } from './control-parameters.js';
import type { CommandModel, OptionTarget, Parameter, ValueShape } from './command-model.js';
import { displayPath, pathOf, type ArgumentNode, type CommandNode, type OptionNode } from './command-node.js';
import { shownDefault } from './default-value.js';
import { toInputSchema } from './input-schema.js';
import { isCacheable, type CacheFacts } from './is-cacheable.js';
import { isSecretName } from './is-secret.js';
import type { JsonSchema } from './json-schema.js';
import { toNotes } from './notes.js';
import type { ParameterDescription } from './parameter-description.js';
import { PropertyNames } from './property-name.js';
import { toValueSchema } from './value-schema.js';
import { shapeOfArgument, shapeOfOption } from './value-shape.js';

export interface ReadFacts {
  /** Properties whose values the operator fixed: absent from the schema. */
  readonly pinned: ReadonlySet<string>;
  /** Properties for which the operator gave a default: never required of a call. */
  readonly defaulted: ReadonlySet<string>;
  /** What the author said of an option or argument beyond its declaration. */
  readonly describe: (node: OptionNode | ArgumentNode) => ParameterDescription | undefined;
  /** `McpInputSchema`: sent unchanged, but for pinned properties. @default read from the declaration */
  readonly authorSchema?: JsonSchema | undefined;
  /** @default the session remembers nothing */
  readonly cache?: CacheFacts | undefined;
  /** @default no control parameters */
  readonly controls?: ((own: OwnParameters) => ControlParameters) | undefined;
}

/**
 * Reads one command's declaration into its model: parameters, input schema, notes (B3).
 *
 * @throws UsageError `DUPLICATE_PROPERTY` where an option and an argument have one name, `INVALID_SETTING` where an
 *   `McpInputSchema` names a property that nothing takes, or a described schema cannot be used
 */
export function readCommand(command: CommandNode, facts: ReadFacts): CommandModel {
  const { authorSchema, pinned } = facts;
  const path = pathOf(command);
  const own = readParameters(command, path, facts);
  const controls = facts.controls?.(own);
  const all = controls ? [...own.parameters, ...controls.parameters] : own.parameters;
  const parameters = authorSchema ? withAuthorSchema(command, all, authorSchema) : all;
  const visible = pinned.size === 0 ? parameters : parameters.filter((each) => !each.pinned);
  return {
    command,
    path,
    parameters,
    controls: controlNames(controls, parameters),
    inputSchema: authorSchema ? withoutPinned(authorSchema, pinned) : toInputSchema(visible),
    hasAuthorSchema: authorSchema !== undefined || own.hasAuthorSchema,
    notes: toNotes(visible),
  };
}

/** An `McpInputSchema` has those that its author wrote into it: a call can send no other. */
function controlNames(
  controls: ControlParameters | undefined,
  parameters: readonly Parameter[],
): ControlParameters['names'] {
  if (!controls) return {};
  const hasAll = controls.parameters.every((parameter) => parameters.includes(parameter));
  if (hasAll) return controls.names;
  const isThere = ([, name]: readonly [string, string]) =>
    parameters.some(({ property }) => property === name);
  return Object.fromEntries(Object.entries(controls.names).filter(isThere));
}

interface OwnRead extends OwnParameters {
  /** Whether an author described one of them by a schema. */
  readonly hasAuthorSchema: boolean;
}

function readParameters(command: CommandNode, path: readonly CommandNode[], facts: ReadFacts): OwnRead {
  const parameters: Parameter[] = [];
  let remembers = false;
  let hasAuthorSchema = false;
  const options = collectOptions(path);
  const names = new PropertyNames(() => rawNames(command, options, facts));
  for (const target of options) {
    const described = describeTarget(target, facts);
    if (described === 'excluded') continue;
    const parameter = readOption(target, described, names, facts);
    remembers ||= parameter.cacheable;
    hasAuthorSchema ||= described?.schema !== undefined;
    parameters.push(parameter);
  }
  const optionCount = parameters.length;
  const { registeredArguments } = command;
  for (let index = 0; index < registeredArguments.length; index += 1) {
    const argument = registeredArguments[index] as ArgumentNode;
    const described = facts.describe(argument);
    hasAuthorSchema ||= described?.schema !== undefined;
    parameters.push(readArgument(argument, index, described, names, facts));
  }
  checkNames(command, parameters, optionCount);
  if (command._allowExcessArguments && registeredArguments.length === 0) {
    const isTaken = parameters.some(({ property }) => property === EXCESS.property);
    if (!isTaken) parameters.push({ ...EXCESS, pinned: facts.pinned.has(EXCESS.property) });
  }
  return { command, parameters, remembers, hasAuthorSchema };
}

/** Options that are left out of the tool take no name from others. */
function rawNames(
  command: CommandNode,
  options: readonly OptionTarget[],
  facts: ReadFacts,
): readonly string[] {
  return [
    ...options
      .filter((target) => describeTarget(target, facts) !== 'excluded')
      .map(({ attribute }) => attribute),
    ...command.registeredArguments.map((argument) => argument.name()),
  ];
}

function describeTarget(
  { option, negation }: OptionTarget,
  { describe }: ReadFacts,
): ParameterDescription | 'excluded' | undefined {
  const described = describe(option);
  const negationDescribed = negation && describe(negation);
  if (described?.exclude === true || negationDescribed?.exclude === true) return 'excluded';
  return described ?? negationDescribed;
}

function readOption(
  target: OptionTarget,
  described: ParameterDescription | undefined,
  names: PropertyNames,
  facts: ReadFacts,
): Parameter {
  const { option, negation } = target;
  const property = names.ofOption(target.attribute);
  const secret =
    described?.secret ??
    (isSecretName(target.attribute) || (option.envVar !== undefined && isSecretName(option.envVar)));
  const shape = shapeOfOption(option, negation, described);
  const shown = secret ? undefined : shownDefault(option);
  if (described?.debug) checkBare(target, shape);
  const pinned = facts.pinned.has(property);
  const hasAuthorSchema = facts.authorSchema !== undefined;
  return {
    property,
    schema: toValueSchema(option, shape, negation !== undefined, described, shown),
    required: option.mandatory && !isGiven(option, property, facts),
    secret,
    pinned,
    cacheable: !pinned && isCacheable(shape, secret, described, hasAuthorSchema, facts.cache),
    shape,
    target,
    ...(described?.debug && { givenByDebug: true }),
  };
}

/** What `debug: true` gives has no value. */
function checkBare({ option }: OptionTarget, { kind }: ValueShape): void {
  if (kind === 'flag' || kind === 'counter' || kind === 'optional') return;
  throw new UsageError(
    'INVALID_SETTING',
    `describeOption("${option.flags}", { debug: true }): the option needs a value, which debug does not have. ` +
      'Only flags and options with an optional value can be given by debug.',
  );
}

/** A mandatory option that has a value without the call is not asked of it. */
function isGiven(option: OptionNode, property: string, { defaulted }: ReadFacts): boolean {
  return (
    option.defaultValue !== undefined ||
    // commander sets those to true by itself.
    option.negate ||
    (option.envVar !== undefined && process.env[option.envVar] !== undefined) ||
    defaulted.has(property)
  );
}

function readArgument(
  argument: ArgumentNode,
  index: number,
  described: ParameterDescription | undefined,
  names: PropertyNames,
  facts: ReadFacts,
): Parameter {
  const property = names.ofArgument(argument, index);
  const secret = described?.secret ?? isSecretName(argument.name());
  const shape = shapeOfArgument(argument, described);
  const shown = secret ? undefined : shownDefault(argument);
  return {
    property,
    schema: toValueSchema(argument, shape, false, described, shown),
    required: argument.required && argument.defaultValue === undefined && !facts.defaulted.has(property),
    secret,
    pinned: facts.pinned.has(property),
    cacheable: false,
    shape,
    target: { kind: 'argument', argument, index },
  };
}

/** B3.7: arguments that a command takes without declaring them. */
const EXCESS: Parameter = {
  property: 'args',
  schema: { type: 'array', items: { type: 'string' }, description: 'Further arguments' },
  required: false,
  secret: false,
  pinned: false,
  cacheable: false,
  shape: { kind: 'list', type: 'string' },
  target: { kind: 'excess' },
};

/** Options have names of their own already. */
function checkNames(command: CommandNode, parameters: readonly Parameter[], optionCount: number): void {
  for (let index = optionCount; index < parameters.length; index += 1) {
    const parameter = parameters[index] as Parameter;
    const other = parameters.find(({ property }) => property === parameter.property) ?? parameter;
    if (other === parameter) continue;
    throw new UsageError(
      'DUPLICATE_PROPERTY',
      `Command "${displayPath(command)}": ${spelled(other)} and ${spelled(parameter)} would both be the tool ` +
        `parameter "${parameter.property}". Rename one of them, or leave an option out with ` +
        'describeOption(option, { exclude: true }).',
    );
  }
}

function spelled({ target }: Parameter): string {
  if (target.kind === 'option') return `option "${target.option.flags}"`;
  return target.kind === 'argument' ? `argument "${target.argument.name()}"` : 'the excess arguments';
}
