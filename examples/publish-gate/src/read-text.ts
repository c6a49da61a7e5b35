import { readFile, stat } from 'node:fs/promises';

/** A text that is given itself, or as a file. */
export interface TextSource {
  readonly text?: string | undefined;
  /** Relative to the working directory. */
  readonly path?: string | undefined;
}

/** Larger files are no drafts: a wrong path must not fill the memory. */
const LARGEST_FILE_BYTES = 16 * 1024 * 1024;

/**
 * Reads a source: UTF-8, with or without a byte order mark.
 *
 * @throws Error whose message names the path and says why it cannot be read
 */
export async function readText({ text, path }: TextSource): Promise<string> {
  if (path === undefined) return text ?? '';
  try {
    const facts = await stat(path);
    if (!facts.isFile()) throw new Error('it is not a file');
    if (facts.size > LARGEST_FILE_BYTES) throw new Error(`it is larger than ${LARGEST_FILE_BYTES} bytes`);
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    throw new Error(`cannot read ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES') return 'permission denied';
  return code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8 text' : error.message;
}
