import { homedir, tmpdir } from 'node:os';

import type { ArgumentNode, OptionNode } from './command-node.js';

/**
 * The default that the schema may show: plain JSON, and nothing of this machine (the working directory, or a folder
 * of the user, would make the tool list differ from place to place, B3.7).
 */
export function shownDefault(node: OptionNode | ArgumentNode): unknown {
  const value = 'negate' in node && node.negate ? (node.defaultValue ?? true) : node.defaultValue;
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : undefined;
    case 'string':
      return isOfThisMachine(value) ? undefined : value;
    case 'object':
      return toPlainJson(value);
    default:
      return undefined;
  }
}

/** The author's words for a default that JSON or the schema cannot show: `.default(value, 'one week')`. */
export function defaultText(node: OptionNode | ArgumentNode): string | undefined {
  const text = node.defaultValueDescription;
  return typeof text === 'string' && text !== '' && !isOfThisMachine(text) ? text : undefined;
}

function isOfThisMachine(text: string): boolean {
  // Most defaults are no paths, and asking for the working directory costs more than all else here.
  if (!/[/\\]/.test(text)) return false;
  return [process.cwd(), homedir(), tmpdir()].some((folder) => holdsFolder(text, folder));
}

/** `/` and `/tmp` are everywhere. */
function holdsFolder(text: string, folder: string): boolean {
  if (folder.length <= 1 || folder === '/tmp') return false;
  return [folder, JSON.stringify(folder).slice(1, -1)].some((spelling) => {
    const at = text.indexOf(spelling);
    return at !== -1 && !/[\w-]/.test(text.charAt(at + spelling.length));
  });
}

/** A copy; undefined where the value is not the same after JSON: dates, maps, class instances, NaN, cycles. */
function toPlainJson(value: unknown): unknown {
  if (!isPlain(value, 0)) return undefined;
  const text = JSON.stringify(value);
  return text === 'null' || isOfThisMachine(text) ? undefined : (JSON.parse(text) as unknown);
}

const DEEPEST = 5;

function isPlain(value: unknown, depth: number): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth > DEEPEST || 'toJSON' in value) return false;
  if (Array.isArray(value)) return value.every((each) => isPlain(each, depth + 1));
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype !== null && prototype !== Object.prototype) return false;
  return Object.values(value).every((each) => isPlain(each, depth + 1));
}
