import fs from 'node:fs';
import { extname } from 'node:path';

import { isNestedTooDeep, isStackOverflow, MOST_LEVELS } from './nesting.js';
import type { ContentBlock } from './tool-result.js';

/** The largest file that is sent whole in an answer. */
const LARGEST_FILE_BYTES = 20 * 1024 * 1024;

/** Texts that each kind of block must have; further members are the author's (annotations, `_meta`). */
const NEEDED = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource: [],
  resource_link: ['uri', 'name'],
} as const;

/** By extension, what clients show or play. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.flac': 'audio/flac',
};

/**
 * The content of a returned `{ content: [...] }` in the form of MCP's own tool results: `text`, `image`, `audio`,
 * `resource` and `resource_link` blocks. An image or audio block may name a file by `path` in place of `data`; it is
 * read here, its media type taken from its name where `mimeType` is not given.
 *
 * @returns undefined where the value is data of another form
 * @throws Error where a file cannot be read or is too large, its media type is not known, or bytes are no base64
 */
export function toContentBlocks(value: object): readonly ContentBlock[] | undefined {
  const { content } = value as { content?: unknown };
  if (!Array.isArray(content) || content.length === 0 || !content.every(isBlock)) return undefined;
  checkJson(content);
  for (const [index, block] of content.entries()) checkBytes(block, `content[${index}]`);
  return content.map((block) => ('path' in block ? withFile(block) : block));
}

/** Clients drop the whole result for bytes that they cannot read. */
function checkBytes(block: ContentBlock, place: string): void {
  const { type, data, resource } = block as Readonly<Record<string, unknown>>;
  const { blob } = (type === 'resource' ? resource : {}) as { readonly blob?: unknown };
  if ((type === 'image' || type === 'audio') && !isBase64(data))
    throw new Error(`${place}.data is no base64.`);
  if (!isBase64(blob)) throw new Error(`${place}.resource.blob is no base64.`);
}

/** What is not there is none that is wrong. */
function isBase64(text: unknown): boolean {
  if (typeof text !== 'string') return true;
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/**
 * @throws TypeError for what JSON cannot hold (BigInt, circles), RangeError for what is nested too deep: it could not be
 * sent, and the call would hang
 */
export function checkJson(value: unknown): void {
  if (isTooDeep(value)) throw new RangeError(`The result is nested deeper than ${MOST_LEVELS} levels.`);
}

function isTooDeep(value: unknown): boolean {
  try {
    // The texts, which may be large, are none of it.
    const json = JSON.stringify(value, (_, member: unknown) => (typeof member === 'string' ? '' : member));
    return isNestedTooDeep(JSON.parse(json));
  } catch (error) {
    if (isStackOverflow(error)) return true;
    throw error;
  }
}

function isBlock(value: unknown): value is ContentBlock & { readonly path?: string } {
  if (typeof value !== 'object' || value === null) return false;
  const block = value as Readonly<Record<string, unknown>>;
  if (typeof block['type'] !== 'string' || !Object.hasOwn(NEEDED, block['type'])) return false;
  const type = block['type'] as keyof typeof NEEDED;
  if (type === 'resource') return isResource(block['resource']);
  if ((type === 'image' || type === 'audio') && typeof block['path'] === 'string') return true;
  return NEEDED[type].every((member) => typeof block[member] === 'string');
}

function isResource(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { uri, text, blob } = value as Readonly<Record<string, unknown>>;
  return typeof uri === 'string' && (typeof text === 'string' || typeof blob === 'string');
}

function withFile({ path, ...block }: ContentBlock & { readonly path?: string }): ContentBlock {
  const file = path as string;
  const mimeType = (block as { mimeType?: string }).mimeType ?? MEDIA_TYPES[extname(file).toLowerCase()];
  if (mimeType === undefined) throw new Error(`The media type of ${file} is not known: give mimeType.`);
  const { size } = fs.statSync(file);
  if (size > LARGEST_FILE_BYTES) {
    throw new Error(`${file} has ${size} bytes; at most ${LARGEST_FILE_BYTES} are sent.`);
  }
  return { ...block, mimeType, data: fs.readFileSync(file).toString('base64') } as ContentBlock;
}
