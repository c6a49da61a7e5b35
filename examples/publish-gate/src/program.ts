import {
  callContext,
  describeOption,
  exposeAsTool,
  McpExitCodes,
  McpOpenWorld,
  McpReadOnly,
  McpTitle,
} from '@mcpify/markers';
import { Command, InvalidArgumentError, Option } from 'commander';

import { checkLinks } from './check-links.js';
import { checkNumbers } from './check-numbers.js';
import { toReport, type Finding } from './finding.js';
import { readText, type TextSource } from './read-text.js';

/** Exit codes: 0 = the check passed, 1 = it did not, 2 = it could not be made. */
export const program = new Command('gate')
  .description('Checks a draft before it is published')
  .version('0.1.0');

const numbers = program
  .command('check-numbers')
  .description('Lists the numbers of a draft that are not in its facts: PASS, or FAIL (n) and n lines.');
addSource(numbers, 'draft');
addSource(numbers, 'facts');
numbers.action(async (options: SourceOptions) => {
  const draft = toSource(numbers, 'draft', options);
  const facts = toSource(numbers, 'facts', options);
  await report(numbers, async () => checkNumbers(await readDraft(draft), await readText(facts)));
});
// #region marks
exposeAsTool(numbers, McpTitle('Check numbers'), McpReadOnly, McpExitCodes([1]));
// #endregion marks

const links = program
  .command('check-links')
  .description('Lists the web links of a draft that do not answer: PASS, or FAIL (n) and n lines.');
addSource(links, 'draft');
links.addOption(timeoutOption()).action(async (options: SourceOptions & { timeoutMs: number }) => {
  const { timeoutMs } = options;
  const draft = toSource(links, 'draft', options);
  const context = callContext();
  const onChecked = (done: number, total: number, url: string) => context.progress(done, total, url);
  await report(links, async () =>
    checkLinks(await readDraft(draft), { timeoutMs, signal: context.signal, onChecked }),
  );
});
exposeAsTool(links, McpTitle('Check links'), McpReadOnly, McpOpenWorld, McpExitCodes([1]));

type SourceName = 'draft' | 'facts';

type SourceOptions = { readonly [option in `${SourceName}${'Text' | 'Path'}`]?: string };

function addSource(command: Command, name: SourceName): void {
  const text = new Option(`--${name}-text <text>`, `the ${name}, in place of a file`);
  const path = new Option(`--${name}-path <file>`, `the ${name} as a UTF-8 file`);
  command.addOption(text.conflicts(`${name}Path`)).addOption(describeOption(path, { type: 'path' }));
}

function toSource(command: Command, name: SourceName, options: SourceOptions): TextSource {
  const source = { text: options[`${name}Text`], path: options[`${name}Path`] };
  if (source.text === undefined && source.path === undefined) {
    command.error(`error: no ${name} given: pass --${name}-text or --${name}-path`, { exitCode: 2 });
  }
  return source;
}

function timeoutOption(): Option {
  const most = 600_000;
  const option = new Option('--timeout-ms <ms>', 'how long one link may take, in milliseconds')
    .default(10_000)
    .argParser((text) => {
      const timeoutMs = Number(text);
      if (Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= most) return timeoutMs;
      throw new InvalidArgumentError(`It must be an integer from 1 to ${most}.`);
    });
  const schema = { type: 'integer', minimum: 1, maximum: most, default: 10_000 };
  return describeOption(option, { type: 'integer', schema });
}

/** A gate that lets an empty draft pass would hide that something before it went wrong. */
async function readDraft(source: TextSource): Promise<string> {
  const draft = await readText(source);
  if (draft.trim() === '') throw new Error('the draft is empty');
  return draft;
}

async function report(command: Command, check: () => Promise<readonly Finding[]>): Promise<void> {
  let findings: readonly Finding[];
  try {
    findings = await check();
  } catch (error) {
    command.error(`error: ${error instanceof Error ? error.message : String(error)}`, { exitCode: 2 });
  }
  console.log(toReport(findings));
  if (findings.length > 0) process.exitCode = 1;
}
