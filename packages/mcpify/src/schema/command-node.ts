/**
 * commander's `Command`, `Option` and `Argument` by shape, not by type: several copies and majors (12 to 15) may
 * live in one process. The underscored members exist at run time in all four majors (except where said).
 */
export interface CommandNode {
  readonly commands: readonly CommandNode[];
  readonly options: readonly OptionNode[];
  readonly registeredArguments: readonly ArgumentNode[];
  readonly parent: CommandNode | null;
  readonly args: readonly string[];
  readonly processedArgs: readonly unknown[];
  name(): string;
  aliases(): readonly string[];
  description(): string;
  summary(): string;
  opts(): Record<string, unknown>;
  getOptionValue(name: string): unknown;
  getOptionValueSource(name: string): string | undefined;
  listenerCount(event: string): number;
  parseAsync(argv: readonly string[], options: { from: 'user' }): Promise<unknown>;
  hook(event: string, listener: (thisCommand: CommandNode, actionCommand: CommandNode) => unknown): unknown;
  exitOverride(callback?: (error: Error) => void): unknown;
  configureOutput(configuration?: Record<string, unknown>): unknown;
  createHelp(): { visibleCommands(command: CommandNode): readonly CommandNode[] };

  readonly _hidden?: boolean;
  readonly _actionHandler?: unknown;
  readonly _executableHandler?: boolean;
  readonly _defaultCommandName?: string | null;
  readonly _helpCommand?: CommandNode | null;
  readonly _enablePositionalOptions?: boolean;
  readonly _passThroughOptions?: boolean;
  readonly _combineFlagAndOptionalValue?: boolean;
  readonly _allowUnknownOption?: boolean;
  readonly _allowExcessArguments?: boolean;
  readonly _storeOptionsAsProperties?: boolean;
  readonly _lifeCycleHooks?: Record<string, unknown[] | undefined>;
  readonly _versionOptionName?: string;
}

export interface OptionNode {
  readonly flags: string;
  readonly description: string;
  readonly short?: string | undefined;
  readonly long?: string | undefined;
  readonly required: boolean;
  readonly optional: boolean;
  readonly variadic: boolean;
  readonly mandatory: boolean;
  readonly negate: boolean;
  readonly hidden: boolean;
  readonly defaultValue?: unknown;
  readonly defaultValueDescription?: string | undefined;
  readonly presetArg?: unknown;
  readonly envVar?: string | undefined;
  readonly parseArg?: ((value: string, previous: unknown) => unknown) | undefined;
  readonly argChoices?: readonly string[] | undefined;
  readonly conflictsWith?: readonly string[];
  readonly implied?: Record<string, unknown> | undefined;
  attributeName(): string;
  name(): string;
  isBoolean(): boolean;
}

export interface ArgumentNode {
  readonly description: string;
  readonly required: boolean;
  readonly variadic: boolean;
  readonly defaultValue?: unknown;
  readonly defaultValueDescription?: string | undefined;
  readonly argChoices?: readonly string[] | undefined;
  readonly parseArg?: ((value: string, previous: unknown) => unknown) | undefined;
  name(): string;
}

/** The commands from the program down to `command`, program first. */
export function pathOf(command: CommandNode): readonly CommandNode[] {
  const path = [command];
  for (let { parent } = command; parent; { parent } = parent) path.unshift(parent);
  return path;
}

/** `app cf compile`, for messages. */
export function displayPath(command: CommandNode): string {
  return pathOf(command)
    .map((level) => level.name())
    .join(' ');
}
