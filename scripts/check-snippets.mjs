// Compares the code in the documents with the files that it comes from: see snippets.mjs. `--write` copies it anew.
//   node scripts/check-snippets.mjs [--write] [FOLDER]
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { checkSnippets } from './snippets.mjs';

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const root = positionals[0] ? resolve(positionals[0]) : fileURLToPath(new URL('..', import.meta.url));
const problems = checkSnippets(root, values);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
