/*
 * Code in the documents comes from files that are compiled and run. A fence that names its source
 *
 *   ```ts source=examples/publish-gate/src/mcp.ts
 *   ```ts source=examples/publish-gate/src/program.ts#numbers
 *
 * holds the whole file, or its region between the lines `// #region numbers` and `// #endregion numbers` (`# region`
 * where the language has no `//`), without their common indentation and without the marks of regions inside.
 * A fence of TypeScript or JavaScript that names no source is refused, but for ```ts unchecked (what does not compile
 * on purpose).
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const FENCE = /^( *)(`{3,})([^\n`]*)\n([\s\S]*?)^\1\2 *$/gm;
const COMPILED = /^(ts|tsx|js|mjs|typescript|javascript)$/;
const REGION_MARK = /^\s*(\/\/|#) ?#?(end)?region\b/;
const SKIPPED = /^(node_modules|dist|\.)/;

/**
 * Compares the fences of all documents below a folder with their sources.
 *
 * @param root folder that the paths of sources start from
 * @param options.write changes the documents in place of telling of the difference
 * @returns a line for each mistake
 */
export function checkSnippets(root, { write = false } = {}) {
  return documentsIn(root).flatMap((file) => {
    const problems = [];
    const text = readFileSync(file, 'utf8');
    const updated = text.replaceAll(FENCE, (fence, indent, ticks, info, code, offset) => {
      const place = `${relative(root, file)}:${text.slice(0, offset).split('\n').length}`;
      const wanted = wantedCode(root, info.trim(), (problem) => problems.push(`${place}: ${problem}`));
      if (wanted === undefined) return fence;
      const lines = wanted.split('\n').map((line) => (line === '' ? '' : indent + line));
      const right = `${indent}${ticks}${info}\n${lines.join('\n')}\n${indent}${ticks}`;
      if (fence.trimEnd() !== right && !write) {
        problems.push(`${place}: differs from its source (node scripts/check-snippets.mjs --write)`);
      }
      return right;
    });
    if (write && updated !== text) writeFileSync(file, updated);
    return problems;
  });
}

/** What a fence has to hold; undefined where that is its own affair. */
function wantedCode(root, info, onProblem) {
  const [language = '', ...words] = info.split(/\s+/);
  const source = words.find((word) => word.startsWith('source='))?.slice('source='.length);
  if (source === undefined) {
    if (COMPILED.test(language) && !words.includes('unchecked')) onProblem('code without "source="');
    return undefined;
  }
  const [path, region] = source.split('#');
  if (!existsSync(join(root, path))) {
    onProblem(`no file ${path}`);
    return undefined;
  }
  const lines = readFileSync(join(root, path), 'utf8').trimEnd().split('\n');
  const wanted = region === undefined ? lines : regionOf(lines, region);
  if (wanted === undefined) onProblem(`no region "${region}" in ${path}`);
  return wanted && dedent(wanted.filter((line) => !REGION_MARK.test(line)));
}

function regionOf(lines, name) {
  const isMark = (kind) => (line) => new RegExp(`^\\s*(//|#) ?#?${kind} ${name}\\s*$`).test(line);
  const start = lines.findIndex(isMark('region'));
  const end = lines.findIndex(isMark('endregion'));
  return start >= 0 && end > start ? lines.slice(start + 1, end) : undefined;
}

function dedent(lines) {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const common = Math.min(...indents);
  return lines
    .map((line) => line.slice(common))
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
}

function documentsIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.test(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return documentsIn(path);
      return entry.name.endsWith('.md') ? [path] : [];
    });
}
