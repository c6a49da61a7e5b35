import { LONGEST_DESCRIPTION } from './description.js';

/** Some clients refuse the rest of a longer list. */
const MOST_TOOLS = 40;

const LONGEST_NAME = 64;

export interface ListFacts {
  readonly toolNames: readonly string[];
  /** Names of tools whose description was too long. */
  readonly cut: readonly string[];
  readonly serverName: string;
}

/** What works, but not in every client: one line each, for stderr at start. */
export function listWarnings({ toolNames, cut, serverName }: ListFacts): readonly string[] {
  const warnings: string[] = [];
  if (toolNames.length > MOST_TOOLS) {
    warnings.push(
      `${toolNames.length} tools: some clients use only the first ${MOST_TOOLS}, and built-in tools come last. ` +
        'Mark the commands that agents need.',
    );
  }
  const prefix = `mcp__${serverName}__`;
  const long = toolNames.filter((name) => prefix.length + name.length > LONGEST_NAME);
  if (long.length > 0) {
    warnings.push(
      `Tool name ${firstOf(long)} passes ${LONGEST_NAME} characters with the prefix that clients add ("${prefix}"). ` +
        "Set a shorter one: McpTool({ name: '…' }).",
    );
  }
  if (cut.length > 0) {
    warnings.push(
      `Description of tool ${firstOf(cut)} is cut: some model APIs refuse more than ` +
        `${LONGEST_DESCRIPTION.toLocaleString('en')} characters. Set a shorter one: McpTool({ description: '…' }).`,
    );
  }
  return warnings;
}

function firstOf(names: readonly string[]): string {
  const others = names.length > 1 ? ` and ${names.length - 1} more` : '';
  return `"${names[0]}"${others}`;
}
