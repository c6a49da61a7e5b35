import type { Invocation } from '../execution/invocation.js';
import type { CommandModel, Control, Parameter } from '../schema/command-model.js';
import { checkTypes } from './check-types.js';
import { createMismatchFinder } from './find-mismatch.js';
import { mergeValues } from './merge-values.js';
import { openSession, type KeptValues, type OpenSession, type SessionAccess } from './open-session.js';
import { toRefusal, type Problem } from './problem.js';
import { resolveKeys } from './resolve-keys.js';
import { validateValues } from './validate-values.js';
import { valuesToArgv } from './values-to-argv.js';

export interface PlanSettings {
  readonly toolName: string;
  readonly concurrent: boolean;
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** Folder that `path` values must lie in. @default no limit */
  readonly root?: string | undefined;
  readonly pinnedValues: Readonly<Record<string, unknown>>;
  readonly defaultValues: Readonly<Record<string, unknown>>;
}

export type InvocationPlan = PlannedRun | { readonly kind: 'refused'; readonly message: string };

export interface PlannedRun {
  readonly kind: 'run';
  readonly invocation: Invocation;
  /** What the command runs with by property, control parameters too; commander adds environment and defaults. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly controls: Controls;
  readonly session: SessionPart | undefined;
}

/** What the session gave to a call, and gets from it; undefined where nothing of a command can be remembered. */
export interface SessionPart extends Pick<OpenSession, 'taken'> {
  /** To be called before the command runs. */
  keep(): KeptValues;
}

/** What the call said of the run itself. */
export type Controls = Readonly<Partial<Record<Exclude<Control, 'session'>, boolean>>>;

/**
 * Turns the arguments of a tool call into one run of its command, or into a text that tells the model everything it
 * must change. Nothing runs before all of it is right, and no value is approximated (decision 12).
 *
 * @param access undefined where no option of the command can be remembered
 */
export function planInvocation(
  model: CommandModel,
  toolArguments: Readonly<Record<string, unknown>>,
  settings: PlanSettings,
  access?: SessionAccess,
): InvocationPlan {
  const keys = resolveKeys(toolArguments, offeredBy(model));
  const session = access && openSession(model, keys.values, settings.toolName, access);
  const merged = mergeValues(model, keys.values, session?.taken, settings);
  const controls = readControls(model, merged);
  const values = controls.debug ? withDebug(model, merged) : merged;
  const problems: Problem[] = [
    ...keys.problems,
    ...(session?.problems ?? []),
    ...validateValues(model, values),
  ];
  for (const parameter of without(problems, model)) {
    if (!values.has(parameter.property)) continue;
    problems.push(...checkTypes(parameter, values.get(parameter.property), settings));
  }
  const wrong = problems.length === 0 ? undefined : new Set(problems.map(({ property }) => property));
  const plan = valuesToArgv(model, values, wrong);
  problems.push(...plan.problems);
  if (problems.length > 0) {
    const told = session && session.taken.size > 0 ? aboutSession(problems, session, model) : problems;
    return { kind: 'refused', message: toRefusal(settings.toolName, told) };
  }
  return {
    kind: 'run',
    invocation: {
      toolName: settings.toolName,
      command: model.command,
      argv: plan.argv,
      shownArgv: plan.shownArgv,
      secrets: secretsIn(model, values),
      findMismatch: createMismatchFinder(model, plan),
      concurrent: settings.concurrent,
    },
    values,
    controls,
    session: session && { taken: session.taken, keep: () => session.keep(values) },
  };
}

/** What the author wants to be given with `debug: true`, as `--verbose` (B6.1); the session keeps nothing of it. */
function withDebug(
  { parameters }: CommandModel,
  merged: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, unknown> {
  const values = new Map(merged);
  for (const { property, givenByDebug, shape } of parameters) {
    if (givenByDebug && !values.has(property)) values.set(property, shape.kind === 'counter' ? 1 : true);
  }
  return values;
}

/** What a call may give. The same list for each call of a tool. */
function offeredBy(model: CommandModel): CommandModel['parameters'] {
  let known = offered.get(model);
  if (!known) offered.set(model, (known = model.parameters.filter(({ pinned }) => !pinned)));
  return known;
}

const offered = new WeakMap<CommandModel, CommandModel['parameters']>();

/** The model did not send what does not fit: it must know where it comes from. */
function aboutSession(
  problems: readonly Problem[],
  { taken }: OpenSession,
  { controls, parameters }: CommandModel,
): readonly Problem[] {
  const aside = parameters.find(({ property, pinned }) => property === controls.nocache && !pinned);
  const orNot = aside ? `, or set "${aside.property}"` : '';
  return problems.map((problem) => {
    const { property, message } = problem;
    const remembered = property === undefined ? undefined : taken.get(property);
    if (!remembered) return problem;
    const origin = `That is the session's value, set by ${remembered.toolName}: send "${property}"${orNot}.`;
    return { property, message: `${message.replace('; you sent ', '; it is ')} ${origin}` };
  });
}

const NONE: readonly string[] = [];

function secretsIn({ parameters }: CommandModel, values: ReadonlyMap<string, unknown>): readonly string[] {
  let found: string[] | undefined;
  for (const { secret, property, target } of parameters) {
    if (!secret) continue;
    const value = values.has(property) ? values.get(property) : valueOfCommander(target);
    const texts = [value].flat().filter((each) => typeof each === 'string');
    if (texts.length > 0) (found ??= []).push(...texts);
  }
  return found ?? NONE;
}

/** What the command gets where nobody gives a value: from the environment, else the default. */
function valueOfCommander(target: Parameter['target']): unknown {
  if (target.kind === 'argument') return target.argument.defaultValue;
  if (target.kind !== 'option') return undefined;
  const { envVar, defaultValue } = target.option;
  return (envVar === undefined ? undefined : process.env[envVar]) ?? defaultValue;
}

const SWITCHES = ['background', 'debug', 'nocache'] as const satisfies readonly (keyof Controls)[];

function readControls({ controls }: CommandModel, values: ReadonlyMap<string, unknown>): Controls {
  const given: Partial<Record<keyof Controls, boolean>> = {};
  for (const control of SWITCHES) {
    const property = controls[control];
    if (property !== undefined && values.has(property)) given[control] = values.get(property) === true;
  }
  return given;
}

/** A parameter with one problem is not asked for a second. */
function without(problems: readonly Problem[], { parameters }: CommandModel): CommandModel['parameters'] {
  if (problems.length === 0) return parameters;
  return parameters.filter(({ property }) => !problems.some((problem) => problem.property === property));
}
