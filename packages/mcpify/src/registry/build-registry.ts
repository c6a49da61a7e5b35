import { UsageError } from '../errors/usage-error.js';
import type { Settings } from '../options/mcp-options.js';
import type { CommandModel } from '../schema/command-model.js';
import { createControls } from '../schema/control-parameters.js';
import { displayPath, type CommandNode } from '../schema/command-node.js';
import { nearestNames } from '../schema/nearest-names.js';
import { readCommand, type ReadFacts } from '../schema/read-command.js';
import type { CommandResource } from '../tools/command-resource.js';
import { CommandTool } from '../tools/command-tool.js';
import type { CommandRunner } from '../tools/run-commands.js';
import { createTaskTools } from '../tools/task-tools.js';
import type { Tool } from '../tools/tool.js';
import { checkOperatorValues } from './check-operator-values.js';
import { checkParamHeaders } from './check-param-headers.js';
import { collectCommands, describe, type MarkedCommand } from './collect-commands.js';
import { checkShapes, toCommandResource } from './command-resources.js';
import { findCliEntry } from './find-cli-entry.js';
import type { Registry } from './registry.js';
import { listWarnings } from './list-warnings.js';
import { needsChild } from './needs-child.js';
import { runnerWhenCalled, tasksWhenCalled } from './load-when-called.js';
import { misreadNumbers } from './misread-numbers.js';
import { nameTools } from './name-tools.js';
import { sessionControls, sessionTools, toCacheFacts } from './session-tools.js';
import { toTaskFacts } from './task-facts.js';
import { toDefinition } from './tool-definition.js';
import { unmetRequirements } from './unmet-requirements.js';
import { unusedMarks } from './unused-marks.js';

/**
 * Reads the whole program once, at start: which commands are tools, under which names, with which schema.
 *
 * @param source the program, or a factory that makes one for each call
 * @param program what is read: the program, or one that the factory made
 * @param findEntry gives the script of the CLI; asked once, and only where a command needs it. By default it is looked
 *   for around the MCP script (B9)
 * @throws UsageError for everything that only the author can mend (`api.md`)
 */
export function buildRegistry(
  source: CommandNode | (() => CommandNode),
  program: CommandNode,
  settings: Settings,
  findEntry: FindEntry = entryFinder(settings),
): Registry {
  checkCommander(program);
  const { marked, warnings: markWarnings } = collectCommands(program);
  const warnings = [...markWarnings];
  const { named, skipped } = nameTools(marked);
  warnings.push(...skipped, ...unusedMarks(named.values()));
  let cliEntry: string | undefined;
  const findOnce = (command: CommandNode) => (cliEntry ??= findEntry(command));
  const tasks = tasksWhenCalled(settings, () => cliEntry);
  const hasTasks = marked.some(({ marks }) => marks.longRunning);
  // What is kept of long output is read with the tools of tasks.
  const runner = runnerWhenCalled(source, settings, hasTasks ? tasks : { load: tasks.load });
  const shared: Shared = {
    loadRunner: runner.load,
    findEntry: findOnce,
    settings,
    facts: toReadFacts(settings),
  };
  const { tools, models, cut, resources } = buildTools(named, shared);
  checkShapes(resources);
  checkOperatorValues(settings, models);
  if (hasTasks) tasks.lookAfter();
  const builtIns = [
    ...(hasTasks ? createTaskTools(tasks.load) : []),
    ...sessionTools(models, settings, runner.load),
  ];
  for (const tool of builtIns) tools.set(tool.definition.name, tool);
  return {
    definitions: [...tools.values()].map(({ definition }) => definition),
    get: (name) => tools.get(name),
    resources,
    ...(hasTasks && { loadTasks: tasks.load }),
    nearest: (name) => nearestNames(name, tools.keys()),
    warnings: [
      ...warnings,
      ...unmetRequirements(models),
      ...misreadNumbers(models),
      ...listWarnings({ toolNames: [...tools.keys()], cut, serverName: settings.name }),
    ],
    async close() {
      await Promise.all([runner.close(), tasks.close()]);
    },
    kill: () => runner.kill(),
  };
}

/** Gives the script of the CLI for a command that runs as a child, or throws. */
type FindEntry = (command: CommandNode) => string;

/** What all tools of one registry have in common. */
interface Shared {
  readonly loadRunner: () => Promise<CommandRunner>;
  /** The script of the CLI, for commands that run as children. */
  readonly findEntry: FindEntry;
  readonly settings: Settings;
  readonly facts: SharedFacts;
}

/** Made once: a program of thousands of commands feels at start whatever is made for each. */
interface SharedFacts {
  readonly inForeground: ReadFacts;
  readonly inBackground: ReadFacts;
}

function toReadFacts(settings: Settings): SharedFacts {
  const pinned = new Set(Object.keys(settings.pinnedValues));
  const wanted = ['debug', ...sessionControls(settings)] as const;
  const facts = {
    pinned,
    defaulted: new Set(Object.keys(settings.defaultValues)),
    describe,
    authorSchema: undefined,
    cache: toCacheFacts(settings),
  };
  const renamed = settings.controlParams;
  return {
    inForeground: { ...facts, controls: createControls({ wanted, renamed, pinned }) },
    inBackground: {
      ...facts,
      controls: createControls({ wanted: ['background', ...wanted], renamed, pinned }),
    },
  };
}

function entryFinder({ cliEntry }: Settings): FindEntry {
  return (command) => findCliEntry(cliEntry, process.argv[1], displayPath(command));
}

interface BuiltTools {
  readonly tools: Map<string, Tool>;
  readonly models: readonly CommandModel[];
  /** Tools whose description was cut. */
  readonly cut: readonly string[];
  readonly resources: readonly CommandResource[];
}

function buildTools(named: ReadonlyMap<string, MarkedCommand>, shared: Shared): BuiltTools {
  const tools = new Map<string, Tool>();
  const models: CommandModel[] = [];
  const cut: string[] = [];
  const resources: CommandResource[] = [];
  for (const [name, entry] of named) {
    const { tool, model, isCut } = buildTool(name, entry, shared);
    tools.set(name, tool);
    if (isCut) cut.push(name);
    models.push(model);
    const resource = toCommandResource(entry, model, tool);
    if (resource) resources.push(resource);
  }
  return { tools, models, cut, resources };
}

function buildTool(
  name: string,
  { command, marks }: MarkedCommand,
  { loadRunner, findEntry, settings, facts }: Shared,
): { readonly tool: Tool; readonly model: CommandModel; readonly isCut: boolean } {
  const usual = marks.longRunning ? facts.inBackground : facts.inForeground;
  const model = readCommand(
    command,
    marks.inputSchema ? { ...usual, authorSchema: marks.inputSchema } : usual,
  );
  if (model.hasAuthorSchema) checkParamHeaders(model);
  const { definition, isCut } = toDefinition(name, command, marks, model);
  const cliEntry = needsChild(command, marks) ? findEntry(command) : undefined;
  const tool = new CommandTool({
    definition,
    model,
    concurrent: marks.concurrent === true,
    exitCodes: marks.exitCodes ?? NO_CODES,
    scope: marks.scope,
    needsTasks: marks.longRunning?.taskSupport === 'required',
    cliEntry,
    task: cliEntry === undefined ? undefined : toTaskFacts(command, marks, cliEntry, settings),
    settings,
    loadRunner,
  });
  return { tool, model, isCut };
}

const NO_CODES: readonly number[] = [];

function checkCommander(program: CommandNode): void {
  if (Array.isArray(program.registeredArguments) && typeof program.parseAsync === 'function') return;
  throw new UsageError(
    'UNSUPPORTED_COMMANDER',
    'The program was made by a version of commander that is not supported. Install commander 12, 13, 14 or 15.',
  );
}
