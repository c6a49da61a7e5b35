import type { AnyClass, ArgumentSettings, CommandSettings, OptionSettings } from './settings.js';

/** What a field is on the command line. */
export type Declaration = OptionDeclaration | ArgumentDeclaration | SetDeclaration;

export interface OptionDeclaration {
  readonly kind: 'option';
  readonly flags: string;
  readonly description: string;
  readonly settings: OptionSettings;
}

export interface ArgumentDeclaration {
  readonly kind: 'argument';
  /** With its brackets: `<file>`, `[files...]`. */
  readonly name: string;
  readonly description: string;
  readonly settings: ArgumentSettings;
}

export interface SetDeclaration {
  readonly kind: 'options';
  readonly set: AnyClass;
}

type Fields = Map<string, Declaration>;

/** All that decorators have said. Two copies of this package in one process share it. */
interface Declarations {
  /** By class. */
  readonly commands: WeakMap<object, CommandSettings>;
  /** By prototype: from legacy decorators and `defineFields`. */
  readonly fields: WeakMap<object, Fields>;
  /** By instance, while classes are read: a standard decorator of a field meets its class only there. */
  collected: WeakMap<object, Fields> | undefined;
}

const DECLARATIONS = Symbol.for('mcpify.classCommands');

export function declarations(): Declarations {
  const shared = globalThis as { [DECLARATIONS]?: Declarations };
  return (shared[DECLARATIONS] ??= { commands: new WeakMap(), fields: new WeakMap(), collected: undefined });
}

/** @param owner a prototype, or an instance while its class is read */
export function declareField(
  fields: WeakMap<object, Fields>,
  owner: object,
  name: string,
  declaration: Declaration,
): void {
  let own = fields.get(owner);
  if (!own) fields.set(owner, (own = new Map()));
  own.set(name, declaration);
}

/** A class as its decorators declare it. */
export interface ClassModel {
  /** Those of base classes first. */
  readonly fields: ReadonlyMap<string, Declaration>;
  /** An instance that was made without services: its fields hold the initial values. */
  readonly sample: Readonly<Record<string, unknown>>;
}

const models = new WeakMap<AnyClass, ClassModel>();

/**
 * Reads the declarations and initial values of a class. Makes one instance, without services; once a class.
 *
 * @throws TypeError where the class cannot be made without its services
 */
export function readClass(target: AnyClass): ClassModel {
  let model = models.get(target);
  if (!model) models.set(target, (model = makeSample(target)));
  return model;
}

function makeSample(target: AnyClass): ClassModel {
  const shared = declarations();
  const outer = shared.collected;
  const collected = (shared.collected = new WeakMap());
  try {
    const sample = Reflect.construct(target, []) as Record<string, unknown>;
    const own = collected.get(sample) as ReadonlyMap<string, Declaration> | undefined;
    return { fields: new Map([...declaredFields(target.prototype as object), ...(own ?? [])]), sample };
  } catch (error) {
    throw needsServices(target, error);
  } finally {
    shared.collected = outer;
  }
}

/** Of legacy decorators and `defineFields`. A field that a subclass declares anew stays in its place. */
function declaredFields(prototype: object): ReadonlyMap<string, Declaration> {
  const parent = Object.getPrototypeOf(prototype) as object | null;
  const inherited = parent ? declaredFields(parent) : [];
  return new Map([...inherited, ...(declarations().fields.get(prototype) ?? [])]);
}

function needsServices(target: AnyClass, cause: unknown): TypeError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new TypeError(
    `${target.name} cannot be made without arguments, which is done once to read the initial values of its fields: ` +
      `${reason}. Use its services in run(), not in the constructor or in an initialiser.`,
    { cause },
  );
}
