import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

const scratch = Buffer.allocUnsafe(4096);

/**
 * The first 4 KiB of a small file of `/proc`: three calls in place of the many of `readFileSync`, which trusts no size.
 *
 * @returns undefined where there is no such process any more, or this one may not read it
 * @throws where this process is out of descriptors or memory: "nobody found" would be a wrong answer
 */
export function readProcFile(path: string): string | undefined {
  const fd = openProcFile(path);
  if (fd === undefined) return undefined;
  try {
    return scratch.toString('latin1', 0, readSync(fd, scratch, 0, scratch.length, null));
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

/** As `readProcFile`, whatever the length. */
export function readWholeProcFile(path: string): Buffer | undefined {
  const fd = openProcFile(path);
  if (fd === undefined) return undefined;
  const chunks: Buffer[] = [];
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(32 * 1024);
      const length = readSync(fd, chunk, 0, chunk.length, null);
      if (length === 0) break;
      chunks.push(chunk.subarray(0, length));
    }
    return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

/** The names in a folder of `/proc`: empty where there is no such process any more, or this one may not look. */
export function listProcFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    throwIfOutOfResources(error);
    return [];
  }
}

function openProcFile(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throwIfOutOfResources(error);
    return undefined;
  }
}

function throwIfOutOfResources(error: unknown): void {
  if (['EMFILE', 'ENFILE', 'ENOMEM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}
