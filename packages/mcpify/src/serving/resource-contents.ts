import type { ContentBlock, ToolResult } from '../result/tool-result.js';

/** A member of `contents`, as `resources/read` answers it. */
export interface Contents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

/**
 * The result of a command as contents: its text, JSON where it is that of an object, and blocks of other types behind
 * it, images and sounds as `blob`.
 *
 * @param mimeType of the text, where the author says so
 */
export function toContents(
  { content, structuredContent }: ToolResult,
  uri: string,
  mimeType: string | undefined,
): readonly Contents[] {
  const text = content.flatMap((block) => (block.type === 'text' ? (block.text ?? []) : [])).join('\n');
  const others = content.filter(({ type }) => type !== 'text');
  if (others.length > 0) {
    const printed = text === '' ? [] : [{ uri, mimeType: 'text/plain', text }];
    return [...printed, ...others.map((block) => toContent(block, uri))];
  }
  const isObject = structuredContent !== undefined && isJson(text);
  return [{ uri, mimeType: mimeType ?? (isObject ? 'application/json' : 'text/plain'), text }];
}

function toContent({ type, data, mimeType, resource, uri }: ContentBlock, ofAll: string): Contents {
  if (type === 'resource') return resource as Contents;
  // A resource has no place for a link: a list of one.
  if (type === 'resource_link') return { uri: ofAll, mimeType: 'text/uri-list', text: `${uri as string}\n` };
  return { uri: ofAll, mimeType: mimeType as string, blob: data as string };
}

/** One that was cut is none. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
