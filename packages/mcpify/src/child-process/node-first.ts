import { delimiter, dirname } from 'node:path';

/**
 * The environment with this Node first in its PATH. Desktop clients start servers without the user's shell profile: a
 * CLI that starts `node` finds this one, and no older one (F120, F121).
 */
export function withNodeFirst(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const name = Object.keys(env).find((each) => each.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = (env[name] ?? '').split(delimiter).filter((folder) => folder !== '');
  const own = dirname(process.execPath);
  return folders[0] === own ? env : { ...env, [name]: [own, ...folders].join(delimiter) };
}
