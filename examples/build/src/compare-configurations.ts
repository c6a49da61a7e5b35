import type { Configuration } from './configuration.js';

/** One line for each module that was added (+), removed (-) or changed (~), in the order of the alphabet. */
export function compareConfigurations(before: Configuration, after: Configuration): readonly string[] {
  const paths = new Set([...Object.keys(before.modules), ...Object.keys(after.modules)]);
  return [...paths].toSorted().flatMap((path) => {
    const old = before.modules[path];
    const now = after.modules[path];
    if (!old) return [`+ ${path}`];
    if (!now) return [`- ${path}`];
    return old.sha256 === now.sha256 ? [] : [`~ ${path}`];
  });
}
