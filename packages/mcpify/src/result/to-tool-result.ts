import type { Parameter } from '../schema/command-model.js';
import type { CheckOutput } from './check-output.js';
import { describeError } from './describe-error.js';
import { maskValue, type SecretMask } from './mask-secrets.js';
import { nameParameters } from './name-parameters.js';
import type { CallEnd, CapturedOutput, Outcome } from './outcome.js';
import { toOutputText } from './output-text.js';
import { toLostResult, toReturnedValue, type ReturnedValue } from './returned-value.js';
import { errorResult, type ContentBlock, type ToolResult } from './tool-result.js';

export interface ResultFacts {
  /** Exit codes that are a normal result besides 0 (`McpExitCodes`). */
  readonly exitCodes: readonly number[];
  /** For messages of commander, which name flags where the model knows properties. */
  readonly parameters: readonly Parameter[];
  /** The longest text of a returned value, in characters. */
  readonly outputBudgetBytes: number;
  /** `returnedBy` the end of the command, where that is known already. */
  readonly returned?: ReturnedValue | undefined;
  /** The task that has all of the output, where it was more than the budget. */
  readonly keptAs?: string | undefined;
  /** Where the call asked for it: what was logged, a line each, and stacks with errors (B6.1). */
  readonly debugLog?: readonly string[] | undefined;
  /** Hides secrets. Here it is for what is cut: whoever passes the result on masks the whole. */
  readonly mask?: SecretMask | undefined;
  /** Where the command promises a form of its result (`McpOutput`). */
  readonly checkOutput?: CheckOutput | undefined;
  /** A success is what the command gives alone: stdout, or the object that it returns. */
  readonly contentsOnly?: boolean | undefined;
}

/** Words an outcome for the model: output first, then how the call ended where that is not plain success. */
export function toToolResult(outcome: Outcome, facts: ResultFacts): ToolResult {
  const { checkOutput, mask } = facts;
  const returned = facts.returned ?? returnedBy(outcome.end);
  const result = wordOutcome(outcome, { ...facts, returned: returned && hideSecrets(returned, mask) });
  if (!checkOutput || result.isError) return result;
  const checked = checkOutput(returned?.structured, outcome.output);
  if ('problem' in checked) return withProblem(result, checked.problem);
  const structuredContent = (mask ? maskValue(checked.structured, mask) : checked.structured) as JsonObject;
  // Clients hold the result to its schema, whatever is hidden in it.
  if (mask && 'problem' in checkOutput(structuredContent, outcome.output))
    return withProblem(result, WITHHELD);
  return { ...result, structuredContent };
}

type JsonObject = Readonly<Record<string, unknown>>;

const WITHHELD =
  'The result holds the value of a secret parameter; without that its structuredContent does not match the output schema, and is withheld.';

function withProblem({ content }: ToolResult, problem: string): ToolResult {
  return { content: [...content, { type: 'text', text: problem }], isError: true };
}

/** The text of an object is its JSON, also of what is left of it: secrets cut out of the text would leave none. */
function hideSecrets(returned: ReturnedValue, mask: SecretMask | undefined): ReturnedValue {
  const { text, structured } = returned;
  if (!mask || !structured) return returned;
  const shown = maskValue(structured, mask) as JsonObject;
  const json = text?.startsWith('[') ? shown['array'] : shown;
  return { ...returned, structured: shown, ...(text !== undefined && { text: JSON.stringify(json) }) };
}

/** What an action's return value means for the result; undefined where it returned none. Never throws. */
export function returnedBy(end: CallEnd): ReturnedValue | undefined {
  if (!('value' in end)) return undefined;
  try {
    return toReturnedValue(end.value);
  } catch (error) {
    // A file that the command names as its result, and that cannot be read.
    return { text: describeError(error), isError: true };
  }
}

function wordOutcome({ end, output }: Outcome, facts: ResultFacts): ToolResult {
  const printed = withLog(toOutputText(output, facts), facts.debugLog);
  const returned = withinBudget(toResultPart(facts.returned ?? returnedBy(end) ?? {}, printed, facts), facts);
  switch (end.kind) {
    case 'returned':
      return facts.contentsOnly && !returned.isError
        ? toContents(output, facts, returned)
        : toSuccess(printed, returned);
    case 'exited':
      return facts.contentsOnly && !returned.isError && isNormal(end.exitCode, facts.exitCodes)
        ? toContents(output, facts, returned)
        : toExit(printed, end.exitCode, facts.exitCodes, returned);
    case 'killed':
      return errorResult(
        joined(printed, `[killed by ${end.signal}] The command's process was ended by a signal.`),
      );
    case 'commanderError':
      return toCommanderResult(printed, end, facts);
    case 'threw':
      return errorResult(joined(printed, describeError(end.error, facts.debugLog && true, facts.mask)));
    case 'refused':
      return errorResult(joined(printed, end.message));
    case 'timedOut':
      return errorResult(joined(printed, `Timed out: the call was stopped after ${end.timeoutMs} ms.`));
    case 'cancelled':
      return errorResult(joined(printed, 'The call was cancelled.'));
  }
}

/**
 * A value that cannot be told was returned by the way where the command printed its result (the answer of an HTTP
 * library, which is a circle); else the result is lost.
 */
function toResultPart(
  returned: ReturnedValue,
  printed: string,
  { contentsOnly }: ResultFacts,
): ReturnedValue {
  const { lost } = returned;
  if (lost === undefined) return returned;
  if (printed === '') return toLostResult(lost);
  return contentsOnly ? {} : { text: `[What the command returned besides is left out: it ${lost}.]` };
}

/** Whoever reads a resource wants a document: an object that is returned is the whole of it. */
function toContents(output: CapturedOutput, facts: ResultFacts, returned: ReturnedValue): ToolResult {
  const printed = toOutputText(output, facts, true);
  const given = returned.structured && !returned.blocks ? '' : printed;
  return given === '' && !returned.blocks
    ? { ...toSuccess('', returned), content: [{ type: 'text', text: returned.text ?? '' }] }
    : toSuccess(given, returned);
}

function withLog(printed: string, log: readonly string[] | undefined): string {
  return log && log.length > 0 ? joined(printed, `[log]\n${log.join('\n')}\n`) : printed;
}

/** @param note stands behind all else */
function toSuccess(
  printed: string,
  { text, blocks, structured, isError }: ReturnedValue = {},
  note = '',
): ToolResult {
  if (blocks) {
    return {
      content: [...toBlocks(printed), ...blocks, ...toBlocks(note)],
      ...(structured && { structuredContent: structured }),
      ...(isError && { isError }),
    };
  }
  // A command that prints what it returns says it once.
  const said = text === undefined || printed.trim() === text.trim() ? printed : joined(printed, text);
  const whole = joined(said, note);
  return {
    content: [{ type: 'text', text: whole === '' ? 'Done. The command printed nothing.' : whole }],
    ...(structured && { structuredContent: structured }),
    ...(isError && { isError }),
  };
}

function toBlocks(text: string): readonly ContentBlock[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function isNormal(exitCode: number, normal: readonly number[]): boolean {
  return exitCode === 0 || normal.includes(exitCode);
}

function toExit(
  printed: string,
  exitCode: number,
  normal: readonly number[],
  returned: ReturnedValue = {},
): ToolResult {
  if (exitCode === 0) return toSuccess(printed, returned);
  if (normal.includes(exitCode)) return toSuccess(printed, returned, `[exit code ${exitCode}]`);
  const isSilent = printed === '' && !returned.blocks && (returned.text ?? '') === '';
  const reason = isSilent ? 'The command failed and printed nothing.' : 'The command failed.';
  const { content } = toSuccess(printed, returned, `[exit code ${exitCode}] ${reason}`);
  return { content, isError: true };
}

type CommanderError = Extract<CallEnd, { kind: 'commanderError' }>;

/**
 * commander's own refusals are errors whatever `McpExitCodes` says, so that a request that was wrong never looks
 * like a check that did not pass; what an action says with `command.error()` follows its exit code.
 */
function toCommanderResult(printed: string, error: CommanderError, facts: ResultFacts): ToolResult {
  if (error.exitCode === 0) return toSuccess(printed);
  const text = printed.includes(error.message) ? printed : joined(printed, error.message);
  const isOfAction = error.code === 'commander.error';
  if (isOfAction && facts.exitCodes.includes(error.exitCode))
    return toExit(text, error.exitCode, facts.exitCodes);
  const code = isOfAction && error.exitCode !== 1 ? `[exit code ${error.exitCode}]` : '';
  return errorResult(joined(joined(text, code), nameParameters(error.message, facts.parameters)));
}

function withinBudget(value: ReturnedValue, facts: ResultFacts): ReturnedValue {
  const { outputBudgetBytes: budget, keptAs } = facts;
  if (value.blocks) return { ...value, blocks: value.blocks.map((block) => blockWithinBudget(block, facts)) };
  if (value.text === undefined || value.text.length <= budget) return value;
  const way = keptAs === undefined ? '' : `: task_result ${JSON.stringify({ taskId: keptAs })}`;
  return { text: cutMiddle(value.text, facts, 'the returned value', way) };
}

function blockWithinBudget(block: ContentBlock, facts: ResultFacts): ContentBlock {
  const { text } = block;
  if (block.type !== 'text' || text === undefined || text.length <= facts.outputBudgetBytes) return block;
  return { ...block, text: cutMiddle(text, facts, 'the returned text', '') };
}

function cutMiddle(
  text: string,
  { outputBudgetBytes, mask }: ResultFacts,
  what: string,
  way: string,
): string {
  const shown = mask ? mask(text) : text;
  const half = Math.floor(outputBudgetBytes / 2);
  const note = `[… cut here: ${what} has ${Buffer.byteLength(shown)} bytes${way} …]`;
  return `${shown.slice(0, half)}\n${note}\n${shown.slice(shown.length - half)}`;
}

function joined(first: string, second: string): string {
  if (first === '' || second === '') return first + second;
  return first.endsWith('\n') ? first + second : `${first}\n${second}`;
}
