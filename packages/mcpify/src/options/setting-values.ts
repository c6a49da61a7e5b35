import { statSync } from 'node:fs';
import { resolve } from 'node:path';

import { UsageError } from '../errors/usage-error.js';

export function text(name: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw invalid(name, value, 'a text');
}

/** What would show as nothing cannot be meant. */
export function filled(name: string, value: unknown): string | undefined {
  if (text(name, value)?.trim() === '') {
    throw new UsageError('INVALID_SETTING', `Setting "${name}" must be a text that is not empty.`);
  }
  return value as string | undefined;
}

/** @returns the folder's absolute path */
export function folder(name: string, value: unknown): string | undefined {
  const path = filled(name, value);
  if (path === undefined) return undefined;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return resolve(path);
  throw new UsageError('INVALID_SETTING', `Setting "${name}": there is no folder ${JSON.stringify(path)}.`);
}

export function flag(name: string, value: unknown): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  throw invalid(name, value, 'true or false');
}

export function choice<T extends string>(name: string, value: unknown, choices: readonly T[]): T | undefined {
  if (value === undefined || choices.includes(value as T)) return value as T | undefined;
  throw invalid(name, value, `one of ${choices.map((each) => `"${each}"`).join(', ')}`);
}

export function amount(name: string, value: unknown): number | undefined {
  if (value === undefined || (typeof value === 'number' && value > 0)) return value;
  throw invalid(name, value, 'a number above 0');
}

export function callback<T>(name: string, value: T | undefined): T | undefined {
  if (value === undefined || typeof value === 'function') return value;
  throw invalid(name, value, 'a function');
}

/** @param least the smallest integer that can be meant */
export function count(name: string, value: unknown, least: number): number | undefined {
  if (value === undefined || (Number.isInteger(value) && Number(value) >= least))
    return value as number | undefined;
  throw invalid(name, value, `an integer of at least ${least}`);
}

export function values(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { ...(value as Record<string, unknown>) };
  }
  throw invalid(name, value, 'an object of property names and values');
}

export function invalid(name: string, value: unknown, wanted: string): UsageError {
  return new UsageError('INVALID_SETTING', `Setting "${name}" must be ${wanted}; it is ${kindOf(value)}.`);
}

/** @throws UsageError where the settings as a whole are none, as `null` from a script without types */
export function checkIsSettings(options: unknown): void {
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return;
  const found = kindOf(options);
  throw new UsageError('INVALID_SETTING', `The settings must be an object; they are ${found}.`);
}

/** The value itself is not shown, but for a number: settings may hold secrets. */
function kindOf(value: unknown): string {
  if (value === null || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
