import { availableParallelism } from 'node:os';

import { toAbortSignal } from '../execution/cancel-signal.js';
import { checkParse } from '../execution/check-parse.js';
import type { ChildExecutor } from '../execution/create-child-executor.js';
import { createExecutor } from '../execution/create-executor.js';
import type { Executor, RunContext } from '../execution/invocation.js';
import { hideInStray } from '../execution/stray-output.js';
import {
  planInvocation,
  type Controls,
  type PlannedRun,
  type PlanSettings,
} from '../invocation/plan-invocation.js';
import type { ToolInfo } from '../options/middleware.js';
import type { Settings } from '../options/mcp-options.js';
import { createOutputCheck } from '../result/check-output.js';
import { createMask, maskResult, maskValue, type SecretMask } from '../result/mask-secrets.js';
import { withSessionNote, type SessionFacts } from '../result/session-note.js';
import { returnedBy, toToolResult, type ResultFacts } from '../result/to-tool-result.js';
import type { Outcome } from '../result/outcome.js';
import { errorResult } from '../result/tool-result.js';
import type { CommandModel } from '../schema/command-model.js';
import type { CommandNode } from '../schema/command-node.js';
import { SessionStore } from '../session/session-store.js';
import type { TasksWhenCalled } from './background-tasks.js';
import { createDebugLog, type DebugLog } from './debug-log.js';
import { KeptOutput } from './kept-output.js';
import type { runInBackground as RunInBackground, TaskFacts } from './run-in-background.js';
import type { Tool, ToolAnswer, ToolCallContext, ToolDefinition } from './tool.js';

export interface CommandFacts {
  readonly definition: ToolDefinition;
  readonly model: CommandModel;
  /** `McpConcurrent`. */
  readonly concurrent: boolean;
  /** `McpExitCodes`. */
  readonly exitCodes: readonly number[];
  /** Where the command runs as a child process: the script of the CLI (B9). */
  readonly cliEntry: string | undefined;
  /** Where the command runs in the background: its task, but for what each call brings. */
  readonly task: TaskFacts | undefined;
  readonly settings: Settings;
}

type CheckedFacts = CommandFacts & Pick<ResultFacts, 'checkOutput'>;

export type CallTool = Tool['call'];

/** Runs the commands of one registry: they share executors, and with them the queues of those that must wait. */
export interface CommandRunner {
  forTool(facts: CommandFacts): CallTool;
  /** Option values that calls have given, for later ones. */
  readonly sessions: SessionStore;
  /** Ends every child that a call waits for, with its tree. */
  close(): Promise<void>;
  /** The same in this very moment. */
  kill(): void;
}

/** Children that calls wait for, at the same time: further calls wait for their turn. */
const MOST_CHILDREN = Math.max(4, 2 * availableParallelism());

/**
 * @param source the program, or a factory that makes one for each call
 * @param sessionCache whether connections are sessions, or handles alone name them
 */
export function createCommandRunner(
  source: CommandNode | (() => CommandNode),
  { sessionCache }: Pick<Settings, 'sessionCache'>,
  tasks: TasksWhenCalled,
): CommandRunner {
  const executor = createExecutor(source);
  const sessions = new SessionStore(sessionCache !== 'handle');
  let children: Promise<ChildExecutor> | undefined;
  let started: ChildExecutor | undefined;
  const loadChildren: LoadChildren = (entry, { cwd, tasks }) =>
    (children ??= import('../execution/create-child-executor.js').then(({ createChildExecutor }) => {
      started = createChildExecutor({ entry, cwd, graceMs: tasks.graceMs, atOnce: MOST_CHILDREN });
      return started;
    }));
  return {
    sessions,
    forTool: (facts) => createCall(facts, { executor, sessions, loadChildren, tasks }),
    close: () => started?.close() ?? Promise.resolve(),
    kill: () => started?.kill(),
  };
}

type LoadChildren = (entry: string, settings: Settings) => Promise<ChildExecutor>;

/** What the tools of one registry have in common. */
interface Shared {
  readonly executor: Executor;
  readonly sessions: SessionStore;
  readonly loadChildren: LoadChildren;
  readonly tasks: TasksWhenCalled;
}

function createCall(facts: CommandFacts, shared: Shared): CallTool {
  const { definition, model, concurrent, settings } = facts;
  const { cwd, root, pinnedValues, defaultValues } = settings;
  const plan: PlanSettings = {
    toolName: definition.name,
    concurrent,
    cwd,
    root,
    pinnedValues,
    defaultValues,
  };
  const { outputSchema } = definition;
  const checked = { ...facts, checkOutput: outputSchema && createOutputCheck(outputSchema) };
  const remembers = model.parameters.some(({ cacheable }) => cacheable);
  const guard = toGuard(checked);
  const start: CallTool = (toolArguments, context) => {
    const access = remembers ? { store: shared.sessions, owner: context } : undefined;
    const planned = planInvocation(model, toolArguments, plan, access);
    if (planned.kind === 'refused') {
      return Promise.resolve({ ...errorResult(planned.message), isRefusal: true });
    }
    return guard
      ? guard.around(planned, context, () => run(planned, checked, context, shared))
      : run(planned, checked, context, shared);
  };
  return guard ? async (...call) => (await guard.refusal()) || start(...call) : start;
}

/** Undefined where nobody decides about calls: they cost nothing then. */
function toGuard({ definition, model, settings, checkOutput }: CheckedFacts) {
  const { isEnabled, middleware } = settings;
  if (!isEnabled && middleware.length === 0) return undefined;
  const { name, annotations } = definition;
  const tool: ToolInfo = Object.freeze({
    name,
    annotations: Object.freeze({ ...annotations }),
    commandPath: Object.freeze(commandPathOf(model)),
  });
  const load = () => import('./guard-call.js');
  return {
    refusal: async () => isEnabled && (await load()).refuseDisabled(isEnabled, tool),
    async around(planned: PlannedRun, { caller, signal }: ToolCallContext, run: () => Promise<ToolAnswer>) {
      if (middleware.length === 0) return run();
      const { showValues, runThroughMiddleware } = await load();
      const values = showValues(model, planned.values);
      const { secrets } = planned.invocation;
      const call = { tool, values, caller, signal: toAbortSignal(signal) };
      return runThroughMiddleware(middleware, call, { secrets, checkOutput }, run);
    },
  };
}

function commandPathOf({ path }: CommandModel): readonly string[] {
  return path.slice(1).map((level) => level.name());
}

async function run(
  { invocation, controls, session }: PlannedRun,
  facts: CheckedFacts,
  context: ToolCallContext,
  { executor, loadChildren, tasks }: Shared,
): Promise<ToolAnswer> {
  const remembered = session?.keep();
  const noted = (answer: ToolAnswer) =>
    session ? noteSession(answer, session.taken, remembered?.handle, facts.model) : answer;
  const { cliEntry, task, settings, exitCodes, model } = facts;
  const { outputBudgetBytes } = settings;
  const mask = invocation.secrets.length === 0 ? undefined : createMask(invocation.secrets);
  if (mask) hideInStray(invocation.secrets, mask);
  const debugLog = controls.debug ? createDebugLog() : undefined;
  const kept = new KeptOutput(keepingOf(facts, context, tasks), mask);
  const runContext = toRunContext(facts, controls, context, mask, debugLog, kept);
  let outcome: Outcome | undefined;
  if (cliEntry === undefined) outcome = await executor.run(invocation, runContext);
  else {
    outcome = await checkParse(executor, invocation, runContext);
    if (!outcome && task && isForBackground(controls))
      return noted(await startTask(invocation, task, context, tasks.load));
    outcome ??= await (await loadChildren(cliEntry, settings)).run(invocation, runContext);
  }
  const { end } = outcome;
  const isRefused = isRefusal(end);
  if (isRefused) remembered?.takeBack();
  const returned = returnedBy(end);
  const isLong = returned?.text !== undefined && returned.text.length > outputBudgetBytes;
  if (isLong) kept.open()?.write(returned.text);
  const result = toToolResult(outcome, {
    exitCodes,
    parameters: model.parameters,
    outputBudgetBytes,
    returned,
    keptAs: kept.isOpen ? await kept.finish(end) : undefined,
    debugLog: debugLog?.lines,
    checkOutput: facts.checkOutput,
    mask,
    contentsOnly: context.contentsOnly,
  });
  const masked = maskResult(result, mask);
  return noted(isRefused ? { ...masked, isRefusal: true } : masked);
}

function noteSession(
  answer: ToolAnswer,
  taken: SessionFacts['taken'],
  handle: string | undefined,
  { controls }: CommandModel,
): ToolAnswer {
  return withSessionNote(answer, { taken, handle, parameter: controls.session ?? 'session' });
}

/** By commander, or on the way to it; `command.error()` is a failure of the command's own. */
function isRefusal(end: Outcome['end']): boolean {
  return end.kind === 'refused' || (end.kind === 'commanderError' && end.code !== 'commander.error');
}

/** Undefined where nobody could read what is kept. */
function keepingOf(
  { definition, model, exitCodes }: CommandFacts,
  { caller }: ToolCallContext,
  { loadNow }: TasksWhenCalled,
) {
  return (
    loadNow &&
    (() => {
      const facts = { toolName: definition.name, commandPath: commandPathOf(model), exitCodes };
      return loadNow().keepOutput(facts, { owner: caller });
    })
  );
}

/** With `debug` the caller waits (B6.1). */
function isForBackground({ background, debug }: Controls): boolean {
  return background !== false && debug !== true;
}

/** Loaded by the first task. */
async function startTask(...task: Parameters<typeof RunInBackground>): Promise<ToolAnswer> {
  const { runInBackground } = await import('./run-in-background.js');
  return runInBackground(...task);
}

function toRunContext(
  { definition, model, task, settings }: CommandFacts,
  controls: Controls,
  context: ToolCallContext,
  mask: SecretMask | undefined,
  debugLog: DebugLog | undefined,
  kept: KeptOutput,
): RunContext {
  const shown = mask ? (data: unknown) => maskValue(data, mask) : (data: unknown) => data;
  return {
    signal: context.signal,
    timeoutMs: shorter(settings.callTimeoutMs, task?.timeoutMs),
    leftovers: task?.leftovers,
    outputBudgetBytes: settings.outputBudgetBytes,
    keepOutput: () => kept.open(),
    maskLine: mask,
    log: (level, data) => context.log(level, definition.name, shown(data)),
    progress: (done, total, message) =>
      context.progress?.(done, total, message === undefined ? undefined : (shown(message) as string)),
    caller: context.caller,
    ask: async (...question) =>
      (await import('./ask-client.js')).askClient(context.ask, namesOf(model), ...question),
    ...(controls.debug &&
      debugLog && {
        variables: { DEBUG: settings.logPrefix || EVERY_PREFIX },
        debugLog: (level, data) => debugLog.add(level, shown(data)),
      }),
  };
}

/** What a call may give to the command. */
function namesOf({ parameters }: CommandModel): readonly string[] {
  return parameters.flatMap(({ property, pinned, target }) =>
    pinned || target.kind === 'own' ? [] : [property],
  );
}

/** All but winston's talk of itself, which it prints on stdout, into the result. Its reader wants that in front. */
const EVERY_PREFIX = '-winston:*,*';

function shorter(first: number | undefined, second: number | undefined): number | undefined {
  return first === undefined || second === undefined ? (first ?? second) : Math.min(first, second);
}
