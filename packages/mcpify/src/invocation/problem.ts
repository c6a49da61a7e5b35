/** One thing that a call must change, as a sentence for the model. */
export interface Problem {
  /** The parameter it is about; undefined for a key that is none. */
  readonly property?: string | undefined;
  readonly message: string;
}

const MOST_TOLD = 20;

/** All problems of one call in one text, so that it is put right in one go. */
export function toRefusal(toolName: string, problems: readonly Problem[]): string {
  const [first] = problems;
  if (first && problems.length === 1) return `${first.message} Nothing was run.`;
  const lines = problems.slice(0, MOST_TOLD).map(({ message }) => `- ${message}`);
  if (problems.length > MOST_TOLD) lines.push(`- and ${problems.length - MOST_TOLD} more.`);
  return [`${toolName} was not run. ${problems.length} problems:`, ...lines].join('\n');
}
