import { UsageError } from '../errors/usage-error.js';
import type { Middleware } from './middleware.js';
import { callback, invalid } from './setting-values.js';

const HOOKS: readonly string[] = ['before', 'around', 'after'] satisfies readonly (keyof Middleware)[];

/**
 * One that is misspelt would be a policy without effect.
 *
 * @throws UsageError `INVALID_SETTING`
 */
export function middlewareList(value: unknown): readonly Middleware[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw invalid('middleware', value, 'an array');
  for (const [index, each] of value.entries()) {
    const name = `middleware[${index}]`;
    if (typeof each !== 'object' || each === null) throw invalid(name, each, 'an object');
    const hooks = HOOKS.filter((hook) => callback(`${name}.${hook}`, (each as never)[hook]) !== undefined);
    const unknown = Object.keys(each as object).find(
      (key) => isHook((each as never)[key]) && !HOOKS.includes(key),
    );
    if (unknown === undefined && hooks.length > 0) continue;
    const told = unknown === undefined ? 'has none of' : `has "${unknown}", which is never called. Known:`;
    throw new UsageError('INVALID_SETTING', `Setting "${name}" ${told} ${HOOKS.join(', ')}.`);
  }
  return [...(value as readonly Middleware[])];
}

/** State that a middleware keeps in its own members is its own business. */
function isHook(member: unknown): boolean {
  return typeof member === 'function';
}
