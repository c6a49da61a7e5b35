import type { IsEnabled, Middleware, ToolCall, ToolInfo } from '../options/middleware.js';
import type { CheckOutput } from '../result/check-output.js';
import { checkJson, toContentBlocks } from '../result/content-blocks.js';
import { describeError } from '../result/describe-error.js';
import { createMask, MASK, type MaskText } from '../result/mask-secrets.js';
import { errorResult } from '../result/tool-result.js';
import type { CapturedOutput } from '../result/outcome.js';
import type { CommandModel } from '../schema/command-model.js';
import type { ToolResult } from './tool.js';

/** @returns what refuses the call; undefined where the tool is enabled */
export async function refuseDisabled(isEnabled: IsEnabled, tool: ToolInfo): Promise<ToolResult | undefined> {
  try {
    const answer: unknown = await isEnabled(tool);
    if (answer === true) return undefined;
    const hint = typeof answer === 'string' && answer !== '' ? answer : 'It is not to be used at the moment.';
    return errorResult(`The tool ${tool.name} is disabled. ${asSentence(hint)} ${NOT_RUN}`);
  } catch (error) {
    return errorResult(
      `Whether ${tool.name} is enabled cannot be told: ${messageOf('isEnabled', error)} ${NOT_RUN}`,
    );
  }
}

/** The values of a run, for those who must not change it: a copy, without secrets and without control parameters. */
export function showValues(
  { parameters }: CommandModel,
  values: ReadonlyMap<string, unknown>,
): ToolCall['values'] {
  const shown = parameters.flatMap(({ property, secret, target }) =>
    values.has(property) && target.kind !== 'own'
      ? [[property, secret ? MASK : structuredClone(values.get(property))] as const]
      : [],
  );
  return freeze(Object.fromEntries(shown));
}

/**
 * Runs one call through all that stands around it, the first one outermost.
 *
 * @param secrets what no refusal repeats (K22)
 * @param checkOutput holds a result in place of the command's own to what the tool promises (P32)
 * @param run runs the command, and never rejects
 */
export async function runThroughMiddleware(
  middleware: readonly Middleware[],
  call: ToolCall,
  { secrets, checkOutput }: CallFacts,
  run: () => Promise<ToolResult>,
): Promise<ToolResult> {
  let hasRun = false;
  let own: ToolResult | undefined;
  const mask = createMask(secrets) ?? ((text: string) => text);
  const refuse = (error: unknown) =>
    errorResult(
      `${messageOf('A middleware', error, mask)} ${hasRun ? 'The command was started; its result is withheld.' : NOT_RUN}`,
    );
  const runCommand = async () => {
    if (call.signal.aborted) return errorResult(`The call was cancelled. ${NOT_RUN}`);
    hasRun = true;
    own = await run();
    return own;
  };
  const seen = Object.freeze(call);
  const result = await middleware.reduceRight<() => Promise<ToolResult>>(
    (inner, each) => () => runOne(each, seen, inner, refuse),
    runCommand,
  )();
  if (result === own || result.isError || !checkOutput) return result;
  const kept = checkOutput(result.structuredContent, NOTHING_PRINTED);
  if (!('problem' in kept)) return result;
  const reason = result.structuredContent ? kept.problem : 'It has no structuredContent.';
  return refuse(
    new Error(`A middleware gave a result that the tool's output schema does not allow. ${reason}`),
  );
}

interface CallFacts {
  readonly secrets: readonly string[];
  readonly checkOutput: CheckOutput | undefined;
}

const NOTHING_PRINTED: CapturedOutput = { segments: [], totalBytes: 0, omittedBytes: 0 };

const NOT_RUN = 'Nothing was run.';

async function runOne(
  middleware: Middleware,
  call: ToolCall,
  inner: () => Promise<ToolResult>,
  refuse: (error: unknown) => ToolResult,
): Promise<ToolResult> {
  const { around } = middleware;
  let result: ToolResult;
  try {
    await middleware.before?.(call);
  } catch (error) {
    return refuse(error);
  }
  try {
    result = around ? checked(await around.call(middleware, call, once(inner)), 'around') : await inner();
  } catch (error) {
    result = refuse(error);
  }
  try {
    const other = await middleware.after?.(call, result);
    return other === undefined ? result : checked(other, 'after');
  } catch (error) {
    return refuse(error);
  }
}

/** A command that runs twice may do harm twice. */
function once(inner: () => Promise<ToolResult>): () => Promise<ToolResult> {
  let isCalled = false;
  return () => {
    if (isCalled) return Promise.reject(new Error('A middleware called next() a second time.'));
    isCalled = true;
    return inner();
  };
}

/** A mistake of the middleware is told as one: clients drop results without content, or fail. */
function checked(result: unknown, hook: string): ToolResult {
  const { content } = (result ?? {}) as Partial<ToolResult>;
  const isEmpty = Array.isArray(content) && content.length === 0;
  // Files that blocks name are read here, as those of a command's own result.
  const blocks = isEmpty ? content : toContentBlocks((result ?? {}) as object);
  if (!blocks) {
    throw new Error(
      `The hook "${hook}" of a middleware gave no result: an object with "content", a list of content blocks.`,
    );
  }
  checkJson(result);
  const isSame = blocks.every((block, index) => block === content?.[index]);
  return (isSame ? result : { ...(result as ToolResult), content: blocks }) as ToolResult;
}

/** The message alone is meant for the caller; `DEBUG=1` of the server shows more. */
function messageOf(thrower: string, error: unknown, mask?: MaskText): string {
  if (error === undefined || error === null) return `${thrower} failed without a reason (it threw ${error}).`;
  const isPlain = process.env['DEBUG'] !== '1' && error instanceof Error && error.message !== '';
  const text = describeError(isPlain ? error.message : error, undefined, mask);
  return asSentence(text);
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
