import { format } from 'prettier';

/** Texts as regions of one file, which the documents take them from (`scripts/snippets.mjs`). */
export function toRegions(texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts)
    .map(([name, text]) => `# region ${name}\n${text.trimEnd()}\n# endregion ${name}\n`)
    .join('\n');
}

/** JSON as a person would write it. */
export function toJson(value: unknown): Promise<string> {
  return format(JSON.stringify(value), { parser: 'json', printWidth: 100 });
}

interface Result {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly mimeType?: string;
  readonly data?: string;
}

/** A result as the documents show it: its text, then what else it has. */
export function showResult({ content, structuredContent, isError }: Result): string {
  const blocks = content as readonly Block[];
  return [
    ...blocks.map(
      ({ type, text, mimeType, data }) =>
        text?.trimEnd() ?? `[${type}, ${mimeType}, ${data?.length} characters of base64]`,
    ),
    ...(structuredContent === undefined ? [] : [`→ structuredContent: ${JSON.stringify(structuredContent)}`]),
    ...(isError === true ? ['→ isError: true'] : []),
  ].join('\n');
}
