import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { REPOSITORY } from '../wire/connect.js';

/** @param file a path from the root of the repository */
export function textOf(file: string): string {
  return readFileSync(join(REPOSITORY, file), 'utf8');
}

/** Members of an interface that is written out in a file. */
export function membersOf(file: string, name: string): readonly string[] {
  const body = new RegExp(`interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`).exec(textOf(file))?.[1] ?? '';
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, member]) => member!);
}
